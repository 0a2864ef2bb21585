import { legacyCall } from '#server/legacy.ts'
import type { ShownStops, StopsService } from './stops.service.ts'

export const readStopGuard = legacyCall<StopsService & ShownStops, 'guardOf'>('stops', 'guardOf')
export const findStopRefusal = legacyCall<StopsService & ShownStops, 'findRefusal'>('stops', 'findRefusal')
export const listShownStops = legacyCall<StopsService & ShownStops, 'listShown'>('stops', 'listShown')
