export const staffRoles = ['support', 'money', 'lead'] as const
export type StaffRole = (typeof staffRoles)[number]
