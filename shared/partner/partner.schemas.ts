import Type, { type Static } from 'typebox'
import { Coordinates } from '#shared/platform/platform.schemas.ts'

const ShiftTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })

export const BranchHours = Type.Object({
  week: Type.Array(
    Type.Object({
      days: Type.Array(Type.Integer({ minimum: 0, maximum: 6, description: '0 is Sunday.' })),
      from: ShiftTime,
      to: Type.String({ ...ShiftTime, description: 'Below `from`: on the next day.' }),
    }),
    { description: 'Its shifts, in Riyadh’s time.' },
  ),
})
export type BranchHours = Static<typeof BranchHours>

/** Spec §3 calls a branch a centre. */
export const Center = Type.Object({
  code: Type.String(),
  addressAR: Type.String(),
  addressEN: Type.String(),
  city: Type.String({ description: 'English name; the screens hold the Arabic names of cities.' }),
  coordinates: Coordinates,
  hours: Type.Optional(BranchHours),
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

export const PartnerKey = Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9._-]+$' })
