import { hashOf } from '#server/platform/secrets.ts'

/** Codes by e-mail are limited per user who proves an address, or per address that recovers an account. */
export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`
