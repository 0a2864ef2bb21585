import type { StaffRole } from '#shared/platform/staff-roles.ts'

export const storedRoles = (roles: readonly StaffRole[]): string => roles.join(' ')

export const rolesIn = (stored: string | null): StaffRole[] =>
  stored === null || stored === '' ? [] : (stored.split(' ') as StaffRole[])
