import { legacyCall } from '#server/legacy.ts'
import type { DeskOrdersService } from './desk-orders.service.ts'

export const readForTesters = legacyCall<DeskOrdersService, 'readForTesters'>('deskOrders', 'readForTesters')
