import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { eraseClaimsOfUser, hasOpenClaim } from '#server/features/claims/claims.queries.ts'
import { exportClaims } from '#server/features/claims/claims.ts'
import { exportActs, listNotes } from '#server/features/history/acts.ts'
import { eraseWordsAboutOrders } from '#server/features/history/erase.ts'
import { eraseEvents, recordEvent } from '#server/features/history/history.ts'
import { eraseMessagesOfUser } from '#server/features/messages/messages.queries.ts'
import { exportMessages } from '#server/features/messages/messages.ts'
import { exportOrders } from '#server/features/order-views/order-views.ts'
import { awaitsAwb, hasTravellingBag } from '#server/features/orders/bookings.queries.ts'
import { listUnused } from '#server/features/orders/cancellation.ts'
import { eraseOrdersOfUser } from '#server/features/orders/orders.queries.ts'
import { lockOrdersOf, makeVoid } from '#server/features/orders/travel.queries.ts'
import { erasePaymentsOfOrders } from '#server/features/payments/attempts.queries.ts'
import { hasUnsettledPayments } from '#server/features/payments/payments.queries.ts'
import { exportPayments } from '#server/features/payments/payments.ts'
import { exportSubscriptions } from '#server/features/push/push.ts'
import { exportReceipts } from '#server/features/receipts/receipts.ts'
import { deleteUser, exportUser, listSessions } from '#server/features/sessions/sessions.ts'
import { endSharesOfOrders } from '#server/features/shares/shares.queries.ts'
import { failure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { accountErrors } from '#shared/account/account.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

const ordersAtOnce = 100

/**
 * Yields the JSON text of an `AccountExport` in pieces.
 * @throws Failure TOO_MANY_CALLS or NOT_SIGNED_IN, both before the first piece
 */
export async function* exportAccount(
  core: Core,
  userId: number,
  token: string | undefined,
): AsyncGenerator<string> {
  limitCalls(core, { name: 'account.exports', limits: core.config.limits.accountCallsPerUser }, userId)
  const user = await exportUser(core, userId)
  if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  const { codes, ...profile } = user
  const head = JSON.stringify({
    exportedAt: isoOf(core.clock.now()),
    profile: { userId, ...profile },
    sessions: await listSessions(core, { role: 'user', userId }, token),
    codes,
    messages: await exportMessages(core, userId),
    pushSubscriptions: await exportSubscriptions(core, userId),
    claims: await exportClaims(core, userId),
    operatorActions: await exportActs(core, userId),
  })
  yield `${head.slice(0, -1)},"orders":[`
  let isFirst = true
  for await (const page of pagesOfOrders(core, userId)) {
    const ids = page.map(({ orderId }) => orderId)
    const paid = await exportPayments(core, ids)
    const issued = await exportReceipts(core, ids)
    const notes = await listNotes(core, ids)
    const texts = page.map((order) =>
      JSON.stringify({
        ...order,
        payments: paid.get(order.orderId) ?? [],
        receipts: issued.get(order.orderId) ?? [],
        notes: notes
          .filter(({ orderId }) => orderId === order.orderId)
          .map(({ at, text }) => ({ at: isoOf(at), text })),
      }),
    )
    yield `${isFirst ? '' : ','}${texts.join(',')}`
    isFirst = false
    // SQLite blocks the process, so other requests get a turn between two pages.
    await nextTurn()
  }
  yield ']}'
}

/**
 * Deletes an account, but not the records of its payments. On SQLite all other requests wait for it.
 * @param forfeits the user gives up paid orders that were not handed over and cannot be cancelled
 * @throws Failure ACCOUNT_HAS_OPEN_ORDERS while an airway bill is awaited, a bag is on its way or a refund is due;
 *   ACCOUNT_HAS_OPEN_CLAIMS; ACCOUNT_HAS_PAID_ORDERS; NOT_SIGNED_IN; TOO_MANY_CALLS
 */
export async function deleteAccount(core: Core, userId: number, { forfeits = false } = {}): Promise<void> {
  limitCalls(core, { name: 'account.deletions', limits: core.config.limits.accountCallsPerUser }, userId)
  await core.database.transaction(async () => {
    // The user is deleted first, because this locks the user's row: payments, bookings and sign-ins wait. A later
    // failure rolls the deletion back.
    if (!(await deleteUser(core, userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
    // While the orders are locked, a hand-over happens completely before or completely after the deletion.
    await lockOrdersOf(core, userId)
    if ((await awaitsAwb(core, userId)) || (await hasTravellingBag(core, userId)))
      throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_ORDERS')
    if (await hasOpenClaim(core, userId)) throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_CLAIMS')
    await giveUpUnused(core, userId, forfeits)
    for await (const page of pagesOfOrders(core, userId)) {
      const ids = page.map(({ orderId }) => orderId)
      if (await hasUnsettledPayments(core, ids)) throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_ORDERS')
      await erasePaymentsOfOrders(core, ids)
      await endSharesOfOrders(core, ids)
    }
    await eraseMessagesOfUser(core, userId)
    await eraseClaimsOfUser(core, userId)
    await eraseOrdersOfUser(core, userId)
    await eraseWordsAboutOrders(core, userId)
    await eraseEvents(core, userId)
    await recordEvent(core, { kind: 'account-deleted', data: {}, by: { kind: 'owner' }, userId })
    core.afterCommit(() => core.log.info({ event: 'account.deleted', userId }))
  })
}

async function* pagesOfOrders(core: Core, userId: number) {
  for (let before: number | undefined; ; ) {
    const page = await exportOrders(core, userId, before, ordersAtOnce)
    if (page.length > 0) yield page
    if (page.length < ordersAtOnce) return
    before = page.at(-1)?.orderId
  }
}

async function giveUpUnused(core: Core, userId: number, forfeits: boolean) {
  const unused = await listUnused(core, userId)
  if (unused.length === 0) return
  if (!forfeits || unused.some(({ cancellable }) => cancellable))
    throw failure(accountErrors, 'ACCOUNT_HAS_PAID_ORDERS', { orders: unused })
  for (const { orderId } of unused) await makeVoid(core, orderId, core.clock.now(), true)
}
