/** What people of the company may do at the desk. A person may have several; their rights add up. */
export const staffRoles = ['support', 'money', 'lead'] as const
export type StaffRole = (typeof staffRoles)[number]
