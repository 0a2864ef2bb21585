/** Roles at the desk. A staff member may have several; their rights add up. */
export const staffRoles = ['support', 'money', 'lead'] as const
export type StaffRole = (typeof staffRoles)[number]
