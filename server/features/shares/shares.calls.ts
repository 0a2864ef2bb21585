import { legacyCall } from '#server/legacy.ts'
import type { SharesService } from './shares.service.ts'

export const endSharesOfOrders = legacyCall<SharesService, 'endOfOrders'>('shares', 'endOfOrders')
