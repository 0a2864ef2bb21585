import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { ClaimsService } from '#server/features/claims/claims.feature.ts'
import type { DeskActionsService } from '#server/features/desk-actions/desk-actions.service.ts'
import { eraseWordsAboutOrders } from '#server/features/history/erase.ts'
import { eraseEvents, recordEvent } from '#server/features/history/history.ts'
import type { MessagesService } from '#server/features/messages/messages.service.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PaymentsService } from '#server/features/payments/payments.service.ts'
import type { PushService } from '#server/features/push/push.feature.ts'
import type { ReceiptsService } from '#server/features/receipts/receipts.feature.ts'
import type { SessionsService } from '#server/features/sessions/sessions.service.ts'
import type { SharesService } from '#server/features/shares/shares.feature.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit, type Limit } from '#server/platform/limits.ts'
import { accountErrors } from '#shared/account/account.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

/** What is exported and deleted with an account. */
export interface AccountNeeds {
  readonly sessions: Pick<SessionsService, 'exportUser' | 'listSessions' | 'deleteUser'>
  readonly orders: Pick<
    OrdersService,
    | 'lockOrdersOf'
    | 'awaitsAwb'
    | 'hasTravellingBag'
    | 'listUnused'
    | 'giveUpBags'
    | 'eraseUser'
    | 'exportOrders'
  >
  readonly payments: Pick<PaymentsService, 'hasUnsettled' | 'eraseOrders' | 'exportPayments'>
  readonly messages: Pick<MessagesService, 'eraseUser' | 'exportMessages'>
  /** Subscriptions are deleted with the sessions. */
  readonly push: Pick<PushService, 'exportSubscriptions'>
  readonly receipts: Pick<ReceiptsService, 'exportReceipts'>
  readonly shares: Pick<SharesService, 'endOfOrders'>
  readonly claims: Pick<ClaimsService, 'hasOpen' | 'eraseUser' | 'exportClaims'>
  readonly audit: Pick<AuditService, 'exportActions'>
  readonly deskActions: Pick<DeskActionsService, 'erasePayloads' | 'eraseNumber' | 'listNotes'>
}

interface AccountDeps extends AccountNeeds, Pick<Core, 'database' | 'clock' | 'log'> {
  /** Exports and deletions are counted separately. */
  readonly callsPerUser: readonly Limit[]
}

export type AccountService = ReturnType<typeof createAccount>

const ordersAtOnce = 100

export function createAccount(deps: AccountDeps) {
  const { sessions, orders, payments, messages, receipts } = deps
  const exports = createCallLimit<number>(deps.callsPerUser, deps.clock)
  const deletions = createCallLimit<number>(deps.callsPerUser, deps.clock)

  /** The user's orders, newest first, a page at a time. */
  async function* pagesOf(userId: number) {
    for (let before: number | undefined; ; ) {
      const page = await orders.exportOrders(userId, before, ordersAtOnce)
      if (page.length > 0) yield page
      if (page.length < ordersAtOnce) return
      before = page.at(-1)?.orderId
    }
  }

  /** Paid orders that were not handed over hold up a deletion, unless their owner gives up what he cannot cancel. */
  async function giveUpUnused(userId: number, forfeits: boolean): Promise<void> {
    const unused = await orders.listUnused(userId)
    if (unused.length === 0) return
    if (!forfeits || unused.some(({ cancellable }) => cancellable))
      throw failure(accountErrors, 'ACCOUNT_HAS_PAID_ORDERS', { orders: unused })
    for (const { orderId } of unused) await orders.giveUpBags(orderId)
  }

  return {
    /**
     * Everything stored of a user as the text of an `AccountExport`, in pieces of a bounded number of orders. `token` is
     * the current session. @throws Failure TOO_MANY_CALLS and NOT_SIGNED_IN (no such user) before the first piece.
     */
    async *export(userId: number, token: string | undefined): AsyncGenerator<string> {
      countCall(exports, userId)
      const user = await sessions.exportUser(userId)
      if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      const { codes, ...profile } = user
      const head = JSON.stringify({
        exportedAt: isoOf(deps.clock.now()),
        profile: { userId, ...profile },
        sessions: await sessions.listSessions({ role: 'user', userId }, token),
        codes,
        messages: await messages.exportMessages(userId),
        pushSubscriptions: await deps.push.exportSubscriptions(userId),
        claims: await deps.claims.exportClaims(userId),
        operatorActions: await deps.audit.exportActions(userId),
      })
      yield `${head.slice(0, -1)},"orders":[`
      let isFirst = true
      for await (const page of pagesOf(userId)) {
        const ids = page.map(({ orderId }) => orderId)
        const paid = await payments.exportPayments(ids)
        const issued = await receipts.exportReceipts(ids)
        const notes = await deps.deskActions.listNotes(ids)
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
        // SQLite answers synchronously: let other requests run between two pages.
        await nextTurn()
      }
      yield ']}'
    },

    /**
     * Deletes the user and keeps the records of payments, in one transaction, without a pause: on SQLite every other
     * request waits for it. `forfeits`: paid orders that were not handed over and cannot be cancelled are given up.
     * @throws Failure ACCOUNT_HAS_OPEN_ORDERS while an airway bill is awaited, a bag is on its way or a refund is due;
     * ACCOUNT_HAS_OPEN_CLAIMS; ACCOUNT_HAS_PAID_ORDERS; NOT_SIGNED_IN when there is no such user; TOO_MANY_CALLS.
     */
    async deleteUser(userId: number, { forfeits = false } = {}): Promise<void> {
      countCall(deletions, userId)
      await deps.database.transaction(async () => {
        // Delete first: it locks the user row and serialises with payments, bookings and sign-ins. A failure below
        // rolls it back.
        if (!(await sessions.deleteUser(userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
        // A hand-over of a bag is before this or after the deletion.
        await orders.lockOrdersOf(userId)
        if ((await orders.awaitsAwb(userId)) || (await orders.hasTravellingBag(userId)))
          throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_ORDERS')
        // Its owner withdraws it first, or waits: nothing that is asked of us ends in silence.
        if (await deps.claims.hasOpen(userId)) throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_CLAIMS')
        await giveUpUnused(userId, forfeits)
        for await (const page of pagesOf(userId)) {
          const ids = page.map(({ orderId }) => orderId)
          if (await payments.hasUnsettled(ids)) throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_ORDERS')
          await payments.eraseOrders(ids)
          await deps.shares.endOfOrders(ids)
          await deps.deskActions.erasePayloads(ids)
        }
        await deps.deskActions.eraseNumber(userId)
        await messages.eraseUser(userId)
        await deps.claims.eraseUser(userId)
        await orders.eraseUser(userId)
        await eraseWordsAboutOrders(deps, userId)
        await eraseEvents(deps, userId)
        await recordEvent(deps, { kind: 'account-deleted', data: {}, by: { kind: 'owner' }, userId })
      })
      deps.log.info({ event: 'account.deleted', userId })
    },
  }
}
