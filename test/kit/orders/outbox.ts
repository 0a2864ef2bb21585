import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { saveSubscription } from '#server/features/push/push.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Worker } from '#server/platform/worker.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { day, noon } from '../basics/clock.ts'
import { bookingRow, orderRow } from './stored-orders.ts'

/** The airway bill of a bag of `addBag`: 231200021879 for bag 7. */
export const awbOf = (bookingId: number): string => String(231_200_021_872 + bookingId)

type BagChange = Partial<Row<'bookings'>>

interface BagFacts {
  readonly userId: number
  readonly orderId: number
  readonly bookingId: number
  /** Kept with its order. */
  readonly promises?: Promises | undefined
}

/** Stores a paid order and a bag of it that is at its branch, unless they are stored already. No leg of it ends at a branch. */
export async function addBag(
  { tables }: Database,
  { userId, orderId, bookingId, promises }: BagFacts,
  change: BagChange = {},
): Promise<void> {
  const terms_version = promises ? 'promised' : null
  if (promises)
    await tables
      .insertInto('terms')
      .values({ version: 'promised', body: JSON.stringify({ promises }), since: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await tables
    .insertInto('orders')
    .values({ ...orderRow, type: 'FROM_MINA', payment: 'paid', id: orderId, user_id: userId, terms_version })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tables
    .insertInto('bookings')
    .values({
      ...bookingRow,
      id: bookingId,
      order_id: orderId,
      leg: bookingId,
      reference: `AM-${bookingId}`,
      awb: awbOf(bookingId),
      state: 'issued',
      carriage: 'at-branch',
      ...change,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function changeBag({ tables }: Database, bookingId: number, change: BagChange): Promise<void> {
  await tables.updateTable('bookings').set(change).where('id', '=', bookingId).execute()
}

/** Records a step of a bag, without messages. */
export const recordBagStep = (
  database: Database,
  bag: { readonly orderId: number; readonly bookingId: number },
  step: NewBagEvent,
): Promise<number | undefined> => database.transaction(() => recordEvent({ database }, { ...step, ...bag }))

/** A browser of the user, signed in, that gets push messages of this gateway. */
export async function addBrowser(core: Core, userId: number): Promise<void> {
  const { database, providers } = core
  await database.tables
    .insertInto('sessions')
    .values({
      token_hash: 'browser',
      id: 'browser',
      device: '',
      role: 'user',
      subject_id: userId,
      created_at: noon,
      last_seen_at: noon,
      idle_until: noon + 365 * day,
      ends_at: noon + 365 * day,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await saveSubscription(core, {
    endpoint: 'https://fcm.googleapis.com/fcm/send/browser',
    user_id: userId,
    session_hash: 'browser',
    p256dh: 'key',
    auth: 'secret',
    server_key: providers.push?.publicKey ?? '',
    created_at: noon,
  })
}

/** Deletes all subscriptions to push messages. */
export async function removeBrowsers({ tables }: Database): Promise<void> {
  await tables.deleteFrom('push_subscriptions').execute()
}

/** Runs what is due, up to `count` messages: a stop lets the job end that has begun, and begins no other. */
export async function runOutbox(worker: Worker, count: number): Promise<void> {
  for (let run = 0; run < count; run += 1) {
    worker.start()
    await worker.stop()
  }
}
