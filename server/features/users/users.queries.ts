import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { orDuplicate } from '#server/platform/database/duplicates.ts'
import { deleteOlder } from '#server/platform/database/pieces.ts'
import { preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import type { SmsRefusal } from './users.rules.ts'

export type UserRow = Row<'users'>

const users = ({ tables }: Database) => tables.selectFrom('users').selectAll()
const updateUsers = ({ database }: QueryCore) =>
  database.tables.updateTable('users').where('deleted_at', 'is', null)

const isOfNoOther = (column: 'phone' | 'email', value: string, id: number) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM users AS other WHERE other.${sql.ref(column)} = ${value} AND other.id != ${id})`

export const findUserByPhone = preparedFirst(({ database }: QueryCore, phone: string) =>
  users(database).where('phone', '=', phone),
)

export const findUserByEmail = ({ database }: QueryCore, email: string): Promise<UserRow | undefined> =>
  users(database).where('email', '=', email).executeTakeFirst()

export async function listUsersByPhone(
  { database }: QueryCore,
  phones: readonly string[],
): Promise<UserRow[]> {
  return phones.length === 0 ? [] : users(database).where('phone', 'in', phones).execute()
}

export const listUsers = preparedForEach(({ database }: QueryCore, ids: readonly number[]) =>
  users(database).where('id', 'in', ids).where('deleted_at', 'is', null),
)

export const listOwners = preparedForEach(({ database }: QueryCore, orderIds: readonly number[]) =>
  users(database)
    .where('id', 'in', (query) =>
      query.selectFrom('orders').select('orders.user_id').where('orders.id', 'in', orderIds),
    )
    .where('deleted_at', 'is', null),
)

export async function findUserRow(core: QueryCore, id: number): Promise<UserRow | undefined> {
  const [user] = await listUsers(core, [id])
  return user
}

const locked = preparedFirst(({ database }: QueryCore, id: number) =>
  users(database)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(database.engine === 'postgres', (query) => query.forShare()),
)

export async function lockUserRow(core: QueryCore, id: number): Promise<UserRow | undefined> {
  core.database.assertTransaction()
  return locked(core, id)
}

const ensured = preparedFirst(
  ({ database }: QueryCore, phone: string, name: string, created_at: number, language: string | null) =>
    database.tables
      .insertInto('users')
      .values({ phone, name, created_at, language })
      // The insertion updates an existing row, because otherwise it would not return this row.
      .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone }))
      .returningAll(),
)

export async function ensureUser(
  core: QueryCore,
  phone: string,
  name: string,
  now: number,
  language: string | null = null,
): Promise<UserRow> {
  const user = await ensured(core, phone, name, now, language)
  if (user === undefined) throw new Error('no user was returned')
  return user
}

/** @returns false when the name is the same, the user had no name, or the account is deleted */
export const renameUser = (core: QueryCore, id: number, name: string): Promise<boolean> =>
  core.database.wins(
    updateUsers(core).set({ name }).where('id', '=', id).where('name', '!=', '').where('name', '!=', name),
  )

export const changeUser = (
  core: QueryCore,
  id: number,
  change: { readonly name?: string; readonly messages?: 0 | 1 },
): Promise<UserRow | undefined> =>
  updateUsers(core).set(change).where('id', '=', id).returningAll().executeTakeFirst()

/** @returns false when the user is deleted or has another phone number */
export const markUserDeleted = (core: QueryCore, id: number, phone: string, now: number): Promise<boolean> =>
  core.database.wins(
    updateUsers(core)
      .set({
        phone: `deleted-${id}`,
        name: '',
        deleted_at: now,
        language: null,
        sms_refused: null,
        email: null,
        email_recovers_from: 0,
      })
      .where('id', '=', id)
      .where('phone', '=', phone),
  )

/**
 * The address can recover the account after `emailWaitMs`, which does not begin again for the same address.
 * @returns undefined when another user has the address, or the account accepts no address now
 */
export const setEmail = (
  core: QueryCore,
  id: number,
  email: string,
  now: number,
): Promise<UserRow | undefined> =>
  updateUsers(core)
    .set({
      email,
      email_recovers_from: sql`CASE WHEN email = ${email} THEN email_recovers_from ELSE ${sql.lit(now + emailWaitMs)} END`,
    })
    .where('email_refused_until', '<=', now)
    .where('id', '=', id)
    .where(isOfNoOther('email', email, id))
    .returningAll()
    .executeTakeFirst()
    .catch(orDuplicate)

interface RemovedEmail {
  readonly email?: string
  readonly refusedUntil?: number
}

export const removeEmail = (
  core: QueryCore,
  id: number,
  { email, refusedUntil }: RemovedEmail = {},
): Promise<UserRow | undefined> =>
  updateUsers(core)
    .set({ email: null, ...(refusedUntil !== undefined && { email_refused_until: refusedUntil }) })
    .where('id', '=', id)
    .$if(email !== undefined, (query) => query.where('email', '=', email ?? ''))
    .returningAll()
    .executeTakeFirst()

/**
 * The account must still have the phone number of `former`, and its e-mail address if `former` contains one.
 * @returns undefined when it has not, or another account has `phone`
 */
export const changePhone = (
  core: QueryCore,
  former: Pick<UserRow, 'id' | 'phone'> & Partial<Pick<UserRow, 'email'>>,
  phone: string,
): Promise<UserRow | undefined> =>
  updateUsers(core)
    .set({ phone, ...(phone !== former.phone && { sms_refused: null }) })
    .where('id', '=', former.id)
    .where('phone', '=', former.phone)
    .$if(former.email !== undefined, (query) => query.where('email', '=', former.email ?? null))
    .where(isOfNoOther('phone', phone, former.id))
    .returningAll()
    .executeTakeFirst()
    .catch(orDuplicate)

export async function setLanguage(core: QueryCore, id: number, language: string): Promise<void> {
  await updateUsers(core).set({ language }).where('id', '=', id).execute()
}

export async function refuseSms(
  { database }: QueryCore,
  id: number,
  phone: string,
  refusal: SmsRefusal,
): Promise<void> {
  await database.tables
    .updateTable('users')
    .set({ sms_refused: refusal })
    .where('id', '=', id)
    .where('phone', '=', phone)
    .execute()
}

/** The owner's own refusal of SMS (`opted-out`) remains. */
export async function allowSms({ database }: QueryCore, id: number): Promise<void> {
  await database.tables
    .updateTable('users')
    .set({ sms_refused: null })
    .where('id', '=', id)
    .where('sms_refused', '=', 'phone')
    .execute()
}

export async function addEmailStop({ database }: QueryCore, stop: Row<'email_stops'>): Promise<void> {
  await database.tables.insertInto('email_stops').values(stop).execute()
}

export async function takeEmailStop(
  { database }: QueryCore,
  tokenHash: string,
  now: number,
): Promise<Row<'email_stops'> | undefined> {
  database.assertTransaction()
  return database.tables
    .deleteFrom('email_stops')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteEmailStops({ database }: QueryCore, userId: number): Promise<void> {
  await database.tables.deleteFrom('email_stops').where('user_id', '=', userId).execute()
}

export const deleteExpiredStops = ({ database }: QueryCore, before: number, limit: number): Promise<number> =>
  deleteOlder(database, { from: 'email_stops', by: 'expires_at', before, limit })
