/** A staff member may have several roles; their rights add up. */
export const staffRoles = ['support', 'money', 'lead'] as const
export type StaffRole = (typeof staffRoles)[number]
