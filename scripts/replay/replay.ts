import { setTimeout as pause } from 'node:timers/promises'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { readArguments, UsageError } from '../lib/tool.ts'
import { moneyOf } from '../ops/format.ts'
import type { Gateway, Payment, Provider, Sides } from './sides.ts'
import {
  type Callback,
  type CallbackMode,
  callbackModes,
  type End,
  expectedEnd,
  missingOf,
  type Outcome,
  outcomes,
  providerFaults,
  type Transaction,
} from './story.ts'

interface Options {
  readonly outcome: Outcome
  readonly ref: string
  readonly callback: CallbackMode
  readonly delayMs: number | undefined
  readonly times: number
  readonly waitMs: number | undefined
  readonly watch: boolean
  readonly json: boolean
}

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = readArguments(args, {
    callback: { type: 'string' },
    delay: { type: 'string' },
    times: { type: 'string' },
    wait: { type: 'string' },
    watch: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [outcome, ref, ...rest] = positionals
  if (outcome === undefined || ref === undefined || rest.length > 0)
    throw new UsageError('name one outcome and one order')
  const isMoneyBack = outcome === 'refund' || outcome === 'void'
  const times = numberOf('times', values.times) ?? 1
  if (times < 1 || times > 20) throw new UsageError('--times must be 1 to 20')
  if (isMoneyBack && times > 1)
    throw new UsageError(`a payment can be returned once: ${outcome} takes no --times`)
  return {
    outcome: oneOf('the outcome', outcomes, outcome),
    ref,
    callback: oneOf('--callback', callbackModes, values.callback ?? 'send'),
    delayMs: numberOf('delay', values.delay),
    times,
    waitMs: numberOf('wait', values.wait),
    watch: values.watch ?? false,
    json: values.json ?? false,
  }
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number`)
  return text === undefined ? undefined : Number(text)
}

function oneOf<const T extends string>(what: string, known: readonly T[], text: string): T {
  const found = known.find((each) => each === text)
  if (found === undefined) throw new UsageError(`${what} must be one of ${known.join(', ')}`)
  return found
}

function lineOf({ status, transactionId, bookings, payments }: DemoOrder): string {
  const refunds = payments.flatMap((payment) => payment.refunds)
  const back = refunds.map(
    (refund) => `, refund of ${refund.transactionId} (${refund.reason}) ${refund.state}`,
  )
  const bags = bookings.map(
    ({ awb, state }) => `${awb ?? 'no airway bill'}${state === null ? '' : ` ${state}`}`,
  )
  return `${status}, ${transactionId === null ? 'no transaction' : `transaction ${transactionId}`}, ${bags.join(', ')}${back.join('')}`
}

/** The payment to decide on: for a return the one that paid the order, else the newest. */
function referenceOf(order: DemoOrder, outcome: Outcome): string {
  const paying = order.payments.find(({ events }) =>
    events.some(({ transactionId }) => transactionId === order.transactionId),
  )
  const chosen = (outcome === 'refund' || outcome === 'void' ? paying : undefined) ?? order.payments.at(-1)
  if (!chosen)
    throw new Error(
      `${orderNumber(order.orderId)} was never brought to the payment provider: open its payment page first.`,
    )
  return chosen.reference
}

async function readPayment(provider: Provider, gateway: Gateway, reference: string): Promise<Payment> {
  const payment = await provider.readPayment(reference)
  if (payment) return payment
  throw new Error(
    `The simulator at ${provider.url} does not know payment ${reference}: the gateway at ${gateway.url} works with another one. Set MOCK_PARTNER_PORT or PORT. Nothing was done.`,
  )
}

interface Change {
  readonly afterMs: number
  readonly line: string
}

/** Reads the order until it ends as expected, or `waitMs` have passed; reports each change. */
async function follow(
  read: () => Promise<DemoOrder>,
  end: End,
  waitMs: number,
  onChange: (change: Change) => void,
): Promise<DemoOrder> {
  const started = performance.now()
  let shown = ''
  for (;;) {
    const order = await read()
    const line = lineOf(order)
    const afterMs = Math.round(performance.now() - started)
    if (line !== shown) onChange({ afterMs, line })
    shown = line
    if (missingOf(end, order).length === 0 || afterMs >= waitMs) return order
    await pause(200)
  }
}

const defaultWaitMs = { usual: 30_000, lost: 180_000 }

/** The simulator's default delay of a late callback. */
const lateMs = 30_000

function waitOf({ callback, delayMs, waitMs }: Options): number {
  const callbackMs = delayMs ?? (callback === 'late' ? lateMs : 0)
  return callbackMs + (waitMs ?? (callback === 'lose' ? defaultWaitMs.lost : defaultWaitMs.usual))
}

function callbackLine({ type, transactionId, state, status, error, nextAttemptAt }: Callback): string {
  const answer = status === null ? error : `HTTP ${status}`
  const next = nextAttemptAt === null ? '' : `, next attempt ${nextAttemptAt}`
  return `  ${type} ${transactionId} ${state}${answer === null ? '' : `: ${answer}`}${next}`
}

function transactionLine(transaction: Transaction, currency: string): string {
  const result = transaction.pending ? 'pending' : transaction.success ? 'success' : 'failed'
  return `  ${transaction.kind} ${transaction.id}: ${result} (${transaction.message}), ${moneyOf(transaction.amount, currency)}`
}

/** The provider's result: the new transactions, their callbacks, and where the browser goes. */
async function decide(
  { outcome, callback, delayMs, times }: Options,
  { gateway, provider }: Sides,
  reference: string,
) {
  const held = await readPayment(provider, gateway, reference)
  const callbacks: Callback[] = []
  let redirectUrl: string | null = null
  for (let count = 0; count < times; count += 1) {
    const wish = { outcome, callback, ...(delayMs === undefined ? {} : { delayMs }) }
    const decision = await provider.decide(reference, wish)
    callbacks.push(...decision.callbacks)
    redirectUrl = decision.redirectUrl
  }
  const { transactions, currency } = await readPayment(provider, gateway, reference)
  const known = new Set(held.transactions.map(({ id }) => id))
  return { made: transactions.filter(({ id }) => !known.has(id)), currency, callbacks, redirectUrl }
}

/**
 * Decides on a payment and follows its order.
 * @throws when the order does not end as expected
 */
export async function replay(
  args: readonly string[],
  openSides: () => Sides,
  printText: (text: string) => void,
): Promise<void> {
  const options = readOptions(args)
  const { outcome, callback } = options
  const sides = openSides()
  const before = await sides.gateway.readOrder(options.ref)
  const reference = referenceOf(before, outcome)
  const name = orderNumber(before.orderId)
  const print = (line: string) => {
    if (!options.json) printText(line)
  }
  print(`${name} before: ${lineOf(before)}`)

  const { made, currency, callbacks, redirectUrl } = await decide(options, sides, reference)
  print(`${outcome} of ${reference}`)
  for (const transaction of made) print(transactionLine(transaction, currency))
  print(callbacks.length === 0 ? 'no callback' : `callbacks (${callback})`)
  for (const each of callbacks) print(callbackLine(each))
  print(`the customer's browser goes to\n  ${redirectUrl ?? 'nowhere: there is no redirection_url'}`)

  const expected = expectedEnd(outcome, callback, before, made)
  const changes: Change[] = []
  const after = await follow(
    () => sides.gateway.readOrder(String(before.orderId)),
    expected,
    waitOf(options),
    (change) => {
      changes.push(change)
      if (options.watch) print(`  after ${change.afterMs} ms: ${change.line}`)
    },
  )
  const faults = [...providerFaults(outcome, callback, made, callbacks), ...missingOf(expected, after)]
  print(`${name} after: ${lineOf(after)}`)
  const result = { outcome, callback, reference, before, after, expected, faults, made }
  if (options.json) printText(JSON.stringify({ ...result, callbacks, redirectUrl, changes }, null, 2))
  if (faults.length > 0) throw new Error(`Not as the story should end: ${faults.join('; ')}`)
  print('as the story should end')
}
