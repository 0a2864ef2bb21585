import type { StaffRole } from '#shared/platform/staff-roles.ts'

/** Roles as the database holds them: separated by spaces. */
export const storedRoles = (roles: readonly StaffRole[]): string => roles.join(' ')

/** None of a row of before they were stored, and of an operator. */
export const rolesIn = (stored: string | null): StaffRole[] =>
  stored === null || stored === '' ? [] : (stored.split(' ') as StaffRole[])
