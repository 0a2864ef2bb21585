import Type, { type Static } from 'typebox'
import { staffRoles } from '#shared/platform/staff-roles.ts'

/** The signed-in person of the company, as the identity provider names them. */
export const StaffSession = Type.Object({
  name: Type.String(),
  roles: Type.Array(Type.Enum([...staffRoles])),
  idleUntil: Type.String({ format: 'date-time', description: 'The session ends then, unless it is used.' }),
  endsAt: Type.String({ format: 'date-time', description: 'The session ends then, at the latest.' }),
})
export type StaffSession = Static<typeof StaffSession>
