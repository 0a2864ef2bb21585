import { legacyCall } from '#server/legacy.ts'
import type { WorkService } from './work.service.ts'

export const takeForAct = legacyCall<WorkService, 'act'>('work', 'act')
export const freeWorkOf = legacyCall<WorkService, 'free'>('work', 'free')
