import type { User } from '#shared/sessions/sessions.schemas.ts'
import { userOf } from './sessions.rules.ts'
import type { SessionsStore } from './sessions.store.ts'

export type UsersService = ReturnType<typeof createUsers>

/** Pilgrims, as the features know them that do not sign them in. */
export function createUsers({ store }: { readonly store: SessionsStore }) {
  return {
    async findUser(id: number): Promise<User | undefined> {
      const [user] = await store.findUsers([id])
      return user && userOf(user)
    },

    async findUsers(ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
      const users = await store.findUsers([...new Set(ids)])
      return new Map(users.map((user) => [user.id, userOf(user)]))
    },

    /** @param phone E.164 */
    async findIdByPhone(phone: string): Promise<number | undefined> {
      return (await store.findUserByPhone(phone))?.id
    },

    /** Inside a transaction: a user who cannot be deleted before it ends. */
    async lockUser(id: number): Promise<User | undefined> {
      const user = await store.lockUser(id)
      return user && userOf(user)
    },

    /** A user as the receiver of messages; undefined when deleted or unknown. */
    async findRecipient(id: number) {
      const [user] = await store.findUsers([id])
      return (
        user && {
          phone: user.phone,
          language: user.language,
          wantsMessages: user.messages === 1,
          isSmsRefused: user.sms_refused !== null,
        }
      )
    },

    /** The phone of the user gets no messages by SMS. */
    refuseSms: store.refuseSms,
  }
}
