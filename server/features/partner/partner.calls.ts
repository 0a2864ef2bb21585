import { legacyCall } from '#server/legacy.ts'
import type { PartnerService } from './partner.service.ts'

export const findAgent = legacyCall<PartnerService, 'findAgent'>('partner', 'findAgent')
export const findAgentByPhone = legacyCall<PartnerService, 'findAgentByPhone'>('partner', 'findAgentByPhone')
export const findCenter = legacyCall<PartnerService, 'findCenter'>('partner', 'findCenter')
export const listAgents = legacyCall<PartnerService, 'listAgents'>('partner', 'listAgents')
export const listCenters = legacyCall<PartnerService, 'listCenters'>('partner', 'listCenters')
