import { hashOf } from '#server/platform/secrets.ts'

/** Limits of codes by e-mail count by these keys: the user who proves an address, or the address. */
export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`
