import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PaymentsService } from '#server/features/payments/payments.service.ts'
import type { SessionsService } from '#server/features/sessions/sessions.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/logging.ts'
import { accountErrors } from '#shared/account/account.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

export interface AccountDeps {
  readonly database: Database
  readonly sessions: Pick<SessionsService, 'findKept' | 'listSessions' | 'deleteUser'>
  readonly orders: Pick<OrdersService, 'awaitsAwb' | 'forgetUser' | 'listKept'>
  readonly payments: Pick<PaymentsService, 'hasUnsettled' | 'forgetOrders' | 'listKept'>
  readonly clock: Clock
  readonly log: Log
}

export interface AccountService {
  /**
   * Everything kept of a user as the text of an `AccountExport`, in pieces of a bounded number of orders. `token` is
   * the session that asks. @throws Failure NOT_SIGNED_IN before the first piece when the user is gone.
   */
  export(userId: number, token: string | undefined): AsyncGenerator<string>
  /**
   * Deletes the person and keeps the record of the money: everything at once or nothing.
   * @throws Failure ACCOUNT_HAS_OPEN_ORDERS while an airway bill is awaited or money has to go back; NOT_SIGNED_IN when
   * the user is gone already.
   */
  deleteUser(userId: number): Promise<void>
}

const ordersAtOnce = 100

export function createAccount(deps: AccountDeps): AccountService {
  const { sessions, orders, payments } = deps

  /** The user's orders, newest first, a page at a time. */
  async function* pagesOf(userId: number) {
    for (let before: number | undefined; ; ) {
      const page = await orders.listKept(userId, before, ordersAtOnce)
      if (page.length > 0) yield page
      if (page.length < ordersAtOnce) return
      before = page.at(-1)?.orderId
    }
  }

  return {
    async *export(userId, token) {
      const kept = await sessions.findKept(userId)
      if (!kept) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      const { codes, ...person } = kept
      const head = JSON.stringify({
        exportedAt: isoOf(deps.clock.now()),
        profile: { userId, ...person },
        sessions: await sessions.listSessions({ role: 'user', userId }, token),
        codes,
      })
      yield `${head.slice(0, -1)},"orders":[`
      let isFirst = true
      for await (const page of pagesOf(userId)) {
        const paid = await payments.listKept(page.map(({ orderId }) => orderId))
        const texts = page.map((order) =>
          JSON.stringify({ ...order, payments: paid.get(order.orderId) ?? [] }),
        )
        yield `${isFirst ? '' : ','}${texts.join(',')}`
        isFirst = false
      }
      yield ']}'
    },

    async deleteUser(userId) {
      await deps.database.transaction(async () => {
        // First, because it locks: whoever pays, books or signs in at this moment is before this or after it. What
        // follows undoes it by throwing.
        if (!(await sessions.deleteUser(userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
        if (await orders.awaitsAwb(userId)) throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_ORDERS')
        for await (const page of pagesOf(userId)) {
          const ids = page.map(({ orderId }) => orderId)
          if (await payments.hasUnsettled(ids)) throw failure(accountErrors, 'ACCOUNT_HAS_OPEN_ORDERS')
          await payments.forgetOrders(ids)
        }
        await orders.forgetUser(userId)
      })
      deps.log.info({ event: 'account.deleted', userId })
    },
  }
}
