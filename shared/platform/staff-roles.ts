/** A staff member with several roles has the rights of all of them. */
export const staffRoles = ['support', 'money', 'lead'] as const
export type StaffRole = (typeof staffRoles)[number]
