import type { StaffRole } from '#shared/platform/staff-roles.ts'

/** Roles as the database holds them: separated by spaces. */
export const storedRoles = (roles: readonly StaffRole[]): string => roles.join(' ')

/** The roles in a stored text; empty for an operator. */
export const rolesIn = (stored: string | null): StaffRole[] =>
  stored === null || stored === '' ? [] : (stored.split(' ') as StaffRole[])
