import { type ActedOrder, createActs, notPossible } from '#server/features/desk-actions/acts.service.ts'
import { createApprovals, type Wish } from '#server/features/desk-actions/approvals.service.ts'
import { createDeskActionsStore } from '#server/features/desk-actions/desk-actions.store.ts'
import { checkBags } from '#server/features/tracking/tracking.queries.ts'
import { fillText, isFailure } from '#server/platform/errors.ts'
import { rolesAtTerminal } from '#shared/desk-actions/desk-actions.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { UsageError } from '../lib/tool.ts'
import { type OpsContext, originOf, readColleague, readSilenceMs, type Verb } from './context.ts'

// Verbs that change an order by the same functions as the desk. A worker of the gateway finishes the change
// within seconds.

export function orderIdOf(text: string | undefined): number {
  const digits = /^(?:OD-)?([1-9]\d{0,14})$/i.exec(text ?? '')?.[1]
  if (digits === undefined) throw new UsageError('name one order, such as OD-42')
  return Number(digits)
}

function deskOf(context: OpsContext) {
  const { database, stores } = context
  const store = createDeskActionsStore(database)
  const acts = createActs({
    ...stores,
    database,
    store,
    tracking: {
      checkBags: (orderId, now, silentBefore) => checkBags({ database }, orderId, now, silentBefore),
    },
    silenceMs: readSilenceMs(),
  })
  const clock = { now: () => context.now }
  // Nothing is approved here: that takes a signed-in staff member.
  return {
    acts,
    approvals: createApprovals({ database, store, acts, clock, carriers: new Map(), subjects: new Map() }),
  }
}
type Desk = ReturnType<typeof deskOf>

function readOrderArgument([order, ...rest]: readonly string[]): number {
  const id = orderIdOf(order)
  if (rest.length > 0) throw new UsageError('name one order')
  return id
}

function inWords(error: unknown, orderId: number, hint: string): unknown {
  if (!isFailure(error)) return error
  const { code, row, details } = error
  if (code === 'ORDER_NOT_FOUND') return new Error(`${orderNumber(orderId)} is not in this database`)
  const text = fillText(row.text.en, details.values, 'en').replace(/\.$/, '')
  return new Error(`${orderNumber(orderId)}: ${text}, so nothing was changed${hint}`, { cause: error })
}

/** A verb about one order, in one transaction with its audit row. Prints the returned lines. */
const onOrder =
  (act: (desk: Desk, context: OpsContext, orderId: number) => Promise<readonly string[]>, hint = ''): Verb =>
  (args) => {
    const id = readOrderArgument(args)
    return async (context) => {
      try {
        const lines = await context.database.transaction(() => act(deskOf(context), context, id))
        return lines.map((line) => `${orderNumber(id)}: ${line}`).join('\n')
      } catch (error) {
        throw inWords(error, id, hint)
      }
    }
  }

export const orderVerbs: Readonly<Record<string, Verb>> = {
  reissue: onOrder(async (desk, context, orderId) => {
    const { acts } = desk
    const origin = originOf(context)
    const order = await acts.lock(orderId)
    if (context.hasDesk) {
      const bookings = await context.stores.orders.findBookings([orderId])
      if (!bookings.some(({ stopped_at }) => stopped_at !== null)) throw notPossible('notStopped')
      return ask(desk, context, order, { act: 'reissue', about: '', halalas: 0 })
    }
    const references = await acts.permit(origin, orderId)
    return references.map(
      (reference) => `${reference} is looked up again and, if still unknown, made once more`,
    )
  }, '; `stuck` lists them'),

  seen: onOrder(
    async ({ acts }, context, id) => [`${await acts.seen(originOf(context), id)} off the list`],
    '; `bags` lists them',
  ),

  resend: onOrder(async ({ acts }, context, id) => {
    const { resent, hastened } = await acts.resend(originOf(context), id)
    return [
      ...resent.map((kind) => `the message ${kind} is sent again within seconds`),
      ...hastened.map((kind) => `the message ${kind} is tried again within seconds`),
    ]
  }, '; `find` shows its messages'),

  inquire: onOrder(async ({ acts }, context, id) =>
    (await acts.inquire(originOf(context), id)).map(
      (reference) => `the provider is asked about ${reference} within seconds`,
    ),
  ),

  refund(args, { reason }) {
    const work = onOrder(refund)(args, {})
    if (reason === undefined) throw new UsageError('a refund needs --reason')
    return work
  },

  'write-off'([order = '', ...rest], { reason }) {
    const [transaction] = rest
    if (rest.length > 1) throw new UsageError('name one order, and one transaction')
    const work = onOrder((desk, context, orderId) => writeOff(desk, context, orderId, transaction))(
      [order],
      {},
    )
    if (reason === undefined) throw new UsageError('a write-off needs --reason')
    return work
  },
}

/** Requests an act at the desk in the name of a colleague, who confirms it there. */
async function ask(
  { approvals }: Desk,
  context: OpsContext,
  order: ActedOrder,
  wish: Wish,
): Promise<readonly string[]> {
  const colleague = await readColleague(context)
  if (!rolesAtTerminal[wish.act]?.some((role) => colleague.roles.includes(role)))
    throw new Error(`${colleague.name} has no role that asks for this, so nothing was changed`)
  const terminal = { user: context.user, as: colleague }
  const id = await approvals.ask(originOf(context), order, wish, terminal)
  return [
    `asked for as request ${id}, unproven: it is done once ${colleague.name} confirms it at the desk and another person approves it, within 3 days`,
  ]
}

/** Closes a refund that cannot be made at the provider, or requests it at the desk. */
async function writeOff(
  desk: Desk,
  context: OpsContext,
  orderId: number,
  named: string | undefined,
): Promise<readonly string[]> {
  const { acts } = desk
  const order = await acts.lock(orderId)
  const transaction = named ?? (await acts.findOpenRefund(orderId))
  const { halalas } = await acts.findWriteOff(orderId, transaction, context.now)
  if (context.hasDesk) return ask(desk, context, order, { act: 'write-off', about: transaction, halalas })
  const origin = originOf(context)
  await acts.writeOff(origin, orderId, transaction)
  return [`the refund of ${transaction} is closed: nothing goes back by it`]
}

/** Orders the refund of a paid order, with approval if there is a desk; or the next try of waiting refunds. */
async function refund(desk: Desk, context: OpsContext, orderId: number): Promise<readonly string[]> {
  const { acts } = desk
  const origin = originOf(context)
  const order = await acts.lock(orderId)
  if (await acts.hasOpenRefund(orderId))
    return (await acts.retryRefunds(origin, orderId)).map(
      (transaction) => `the refund of ${transaction} is tried again within seconds`,
    )
  const transaction = await acts.refundable(order)
  if (context.hasDesk) return ask(desk, context, order, await acts.refundWish(order, transaction))
  await acts.orderRefund(origin, orderId, transaction)
  return [
    `what is left of the payment ${transaction} is refunded within seconds; its bags that were not handed over are CANCELLED, and the order is REFUNDED when the money is back`,
  ]
}
