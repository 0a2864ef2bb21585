import { hashOf } from '#server/platform/secrets.ts'

/** What the limits of a code to an address count by, in place of a phone: the user who proves it, or the address itself. */
export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`
