import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'
import { Center, PartnerAgent } from './partner.schemas.ts'

const feature = 'partner'

export const listCenters = defineOperation({
  method: 'GET',
  path: '/api/partner/centers',
  summary: 'Branches of the shipping partner in the Kingdom',
  feature,
  access: 'anyone',
  isRoutine: true,
  response: successOf({ centers: Type.Array(Center) }),
  etag: 'strong',
  errors: ['CENTERS_UNAVAILABLE'],
})

export const listAgents = defineOperation({
  method: 'GET',
  path: '/api/partner/agents',
  summary: 'Agents of the shipping partner in Makkah and Mina',
  feature,
  access: 'anyone',
  isRoutine: true,
  response: successOf({ agents: Type.Array(PartnerAgent) }),
  etag: 'strong',
  errors: ['AGENTS_UNAVAILABLE'],
})

export const partnerOperations = { listCenters, listAgents } as const
