import { hashOf } from '#server/platform/secrets.ts'

export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`
