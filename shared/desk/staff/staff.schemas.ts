import Type, { type Static } from 'typebox'
import { staffRoles } from '#shared/platform/staff-roles.ts'

export const StaffSession = Type.Object({
  name: Type.String(),
  roles: Type.Array(Type.Enum([...staffRoles])),
  idleUntil: Type.String({ format: 'date-time', description: 'The session ends then, unless it is used.' }),
  endsAt: Type.String({ format: 'date-time', description: 'The session ends then, at the latest.' }),
})
export type StaffSession = Static<typeof StaffSession>
