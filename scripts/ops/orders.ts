import type { Core } from '#server/core.ts'
import {
  checkBagsWithin,
  findOpenRefund,
  inquireWithin,
  listOpenRefunds,
  lockForAct,
  notPossible,
  orderRefundWithin,
  permitCreationWithin,
  refundRequestOf,
  resendWithin,
  retryRefundsWithin,
  writeOffRequestOf,
  writeOffWithin,
} from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { fillText, isFailure } from '#server/platform/errors.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { UsageError } from '../lib/tool.ts'
import { coreOf, type OpsContext, originOf, readSilenceMs, type Verb } from './context.ts'

// Verbs that change an order, by the steps that the desk calls, too. A worker of the gateway carries the change out within seconds.

export function orderIdOf(text: string | undefined): number {
  const digits = /^(?:OD-)?([1-9]\d{0,14})$/i.exec(text ?? '')?.[1]
  if (digits === undefined) throw new UsageError('name one order, such as OD-42')
  return Number(digits)
}

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

/** An act about one order, in one transaction with its event; returns the lines to print. */
type OrderWork = (core: Core, context: OpsContext, orderId: number) => Promise<readonly string[]>

/** @param hint the verb that shows the state, printed when nothing was done */
const onOrder =
  (work: OrderWork, hint = ''): Verb =>
  (args) => {
    const id = readOrderArgument(args)
    return async (context) => {
      try {
        const lines = await context.database.transaction(() => work(coreOf(context), context, id))
        return lines.map((line) => `${orderNumber(id)}: ${line}`).join('\n')
      } catch (error) {
        throw inWords(error, id, hint)
      }
    }
  }

export const orderVerbs = {
  reissue: onOrder(async (core, context, orderId) => {
    const order = await lockForAct(core, orderId)
    if (context.requestApproval) {
      const bookings = await findBookings(core, [orderId])
      if (!bookings.some(({ stopped_at }) => stopped_at !== null)) throw notPossible('notStopped')
      return context.requestApproval(context, order, { act: 'reissue', about: '', halalas: 0 })
    }
    const references = await permitCreationWithin(core, originOf(context), orderId)
    return references.map(
      (reference) => `${reference} is looked up again and, if still unknown, made once more`,
    )
  }, '; `stuck` lists them'),

  seen: onOrder(async (core, context, id) => {
    const closed = await checkBagsWithin(core, originOf(context), id, readSilenceMs())
    return [`${closed} off the list`]
  }, '; `bags` lists them'),

  resend: onOrder(async (core, context, id) => {
    const { resent, scheduled } = await resendWithin(core, originOf(context), id)
    return [
      ...resent.map((kind) => `the message ${kind} is sent again within seconds`),
      ...scheduled.map((kind) => `the message ${kind} is tried again within seconds`),
    ]
  }, '; `find` shows its messages'),

  inquire: onOrder(async (core, context, id) =>
    (await inquireWithin(core, originOf(context), id)).map(
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
    const work = onOrder((core, context, orderId) => writeOff(core, context, orderId, transaction))(
      [order],
      {},
    )
    if (reason === undefined) throw new UsageError('a write-off needs --reason')
    return work
  },
} satisfies Readonly<Record<string, Verb>>

/** Closes a refund that cannot be made at the provider, or requests that at the desk. */
async function writeOff(
  core: Core,
  context: OpsContext,
  orderId: number,
  named: string | undefined,
): Promise<readonly string[]> {
  const order = await lockForAct(core, orderId)
  const transaction = named ?? (await findOpenRefund(core, orderId))
  const wanted = await writeOffRequestOf(core, orderId, transaction, context.now)
  if (context.requestApproval) return context.requestApproval(context, order, wanted)
  await writeOffWithin(core, originOf(context), orderId, transaction)
  return [`the refund of ${transaction} is closed: nothing goes back by it`]
}

/** Orders the refund of a paid order, or requests it at the desk; tries an open refund again. */
async function refund(core: Core, context: OpsContext, orderId: number): Promise<readonly string[]> {
  const origin = originOf(context)
  const order = await lockForAct(core, orderId)
  if ((await listOpenRefunds(core, orderId)).length > 0)
    return (await retryRefundsWithin(core, origin, orderId)).map(
      (transaction) => `the refund of ${transaction} is tried again within seconds`,
    )
  const wanted = await refundRequestOf(core, order)
  if (context.requestApproval) return context.requestApproval(context, order, wanted)
  await orderRefundWithin(core, origin, orderId, wanted.about)
  return [
    `what is left of the payment ${wanted.about} is refunded within seconds; its bags that were not handed over are CANCELLED, and the order is REFUNDED when the money is back`,
  ]
}
