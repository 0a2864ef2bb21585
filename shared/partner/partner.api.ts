import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './partner.operations.ts'
import { Center, PartnerAgent } from './partner.schemas.ts'

const feature = 'partner'

export const listCenters = defineOperation({
  ...endpoints.listCenters,
  summary: 'Branches of the shipping partner in the Kingdom',
  feature,
  isRoutine: true,
  response: successOf({ centers: Type.Array(Center) }),
  etag: 'strong',
  errors: ['CENTERS_UNAVAILABLE'],
})

export const listAgents = defineOperation({
  ...endpoints.listAgents,
  summary: 'Agents of the shipping partner in Makkah and Mina',
  feature,
  isRoutine: true,
  response: successOf({ agents: Type.Array(PartnerAgent) }),
  etag: 'strong',
  errors: ['AGENTS_UNAVAILABLE'],
})

export const partnerOperations = { listCenters, listAgents } as const
