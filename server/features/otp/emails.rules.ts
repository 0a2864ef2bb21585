import { hashOf } from '#server/platform/secrets.ts'

/** Limits count by these in place of a phone: the user who proves the address, or the address itself. */
export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`
