import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'
import { Center, PartnerAgent } from './partner.schemas.ts'

const room = 'partner'

export const listCenters = defineOperation({
  method: 'GET',
  path: '/api/partner/centers',
  summary: 'Branches of the shipping partner in the Kingdom',
  room,
  caller: 'anyone',
  response: successOf({ centers: Type.Array(Center) }),
})

export const listAgents = defineOperation({
  method: 'GET',
  path: '/api/partner/agents',
  summary: 'Agents of the shipping partner in Makkah and Mina',
  room,
  caller: 'anyone',
  response: successOf({ agents: Type.Array(PartnerAgent) }),
})

export const partnerOperations = { listCenters, listAgents } as const
