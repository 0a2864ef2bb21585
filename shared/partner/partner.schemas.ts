import Type, { type Static } from 'typebox'
import { Coordinates } from '#shared/platform/platform.schemas.ts'

/** A branch of the shipping partner, as spec §3 calls it: a centre. */
export const Center = Type.Object({
  code: Type.String(),
  addressAR: Type.String(),
  addressEN: Type.String(),
  city: Type.String({ description: 'English name; the screens hold the Arabic names of cities.' }),
  coordinates: Coordinates,
})
export type Center = Static<typeof Center>

export const PartnerAgent = Type.Object({
  id: Type.String({ description: 'The partner’s own id of the agent.' }),
  name: Type.String(),
  address: Type.String(),
  city: Type.String(),
  phone: Type.String(),
  coordinates: Coordinates,
})
export type PartnerAgent = Static<typeof PartnerAgent>

/** Codes and ids of the partner: what a booking names a branch or an agent by. */
export const PartnerKey = Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9._-]+$' })
