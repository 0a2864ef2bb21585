import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import {
  readArguments,
  readDatabaseLocation,
  readToolConfig,
  runTool,
  UsageError,
  withSource,
} from './lib/tool.ts'

const usage = `usage: npm run replay -- <success|decline|cancel|refund|void> <OD-n | n | reference> [options]
Lets the simulated provider decide on a payment, and prints what became of it and of the order. Exit code 1 when that is
not what was asked. Reads MOCK_PARTNER_URL, or HOST and MOCK_PARTNER_PORT, and DATA_DIR and DATABASE_URL, from the
environment and .env.
  --callback <lose|twice|late|forge|mismatch>   what becomes of the callback
  --delay <ms>                                  how late it is sent
  --wait <ms>                                   how long the order may take to get there, 30000 by default
  --provider-only                               the gateway's database is not read, nor asked whether the order is its own`

interface Attempt {
  at: string
  status: number | null
  error: string | null
}

interface Callback {
  type: string
  transactionId: number
  mode: string
  state: string
  attempts: Attempt[]
  nextAttemptAt: string | null
}

interface Transaction {
  id: number
  kind: string
  success: boolean
  pending: boolean
  amount: number
  message: string
  isVoided: boolean
  refundedAmount: number
}

interface Payment {
  id: string
  reference: string | null
  amount: number
  currency: string
  status: string
  transactions: Transaction[]
}

interface Order {
  readonly id: number
  readonly status: string
  readonly transactionId: string | null
  /** One per booking; null while the partner has not issued it. */
  readonly awbs: readonly (string | null)[]
}

function simulatorUrl(): string {
  const given = process.env.MOCK_PARTNER_URL?.trim()
  if (given) return given.replace(/\/$/, '')
  const { HOST: host, MOCK_PARTNER_PORT: port } = readToolConfig()
  return `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`
}

async function ask<T>(base: string, path: string, body?: unknown): Promise<T> {
  const init =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const answer = await fetch(`${base}/control${path}`, init).catch(() => {
    throw new Error(
      `The mock partner does not answer at ${base}. Start it with npm start, or set MOCK_PARTNER_URL.`,
    )
  })
  const json: unknown = await answer.json().catch(() => {
    throw new Error(`${base} is not a mock partner.`)
  })
  if (answer.ok) return json as T
  const { message } = json as { message?: string }
  throw new Error(message ?? `The mock partner answered HTTP ${answer.status}.`)
}

const money = (halalas: number, currency: string) => `${currency} ${(halalas / 100).toFixed(2)}`

function describeCallback({ type, transactionId, mode, state, attempts, nextAttemptAt }: Callback): string {
  const answers = attempts.map(({ status, error }) => (status === null ? error : `HTTP ${status}`))
  const next = nextAttemptAt === null ? '' : `, next attempt ${nextAttemptAt}`
  const answered = answers.length === 0 ? '' : `: ${answers.join(', ')}`
  return `  ${type} ${transactionId} (${mode}) ${state}${answered}${next}`
}

function printPayments(payments: readonly Payment[]): void {
  console.log('What the provider holds now:')
  for (const payment of payments) {
    console.log(
      `  ${payment.reference ?? payment.id}: ${payment.status}, ${money(payment.amount, payment.currency)}`,
    )
    for (const each of payment.transactions) {
      const result = each.pending ? 'pending' : each.success ? 'success' : 'failed'
      const voided = each.isVoided ? ', voided' : ''
      const refunded =
        each.refundedAmount > 0 ? `, refunded ${money(each.refundedAmount, payment.currency)}` : ''
      console.log(
        `    ${each.kind} ${each.id}: ${result} (${each.message}), ${money(each.amount, payment.currency)}${voided}${refunded}`,
      )
    }
  }
}

const kinds: Readonly<Record<string, string>> = { refund: 'refund', void: 'void' }

/** How the provider's action differs from the requested one. */
function complaintsOf(
  outcome: string,
  mode: string,
  isDelayed: boolean,
  callbacks: readonly Callback[],
  added: readonly Transaction[],
): string[] {
  const complaints: string[] = []
  if (outcome !== 'cancel' && mode !== 'forge') {
    const kind = kinds[outcome] ?? 'payment'
    const isDone = added.some(
      (each) => each.kind === kind && !each.pending && each.success === (outcome !== 'decline'),
    )
    if (!isDone) complaints.push(`the provider shows no ${outcome} of this order`)
  }
  const isUnsent = isDelayed || mode === 'lose' || mode === 'late'
  for (const { transactionId, state, attempts } of isUnsent ? [] : callbacks) {
    const { status = null, error = null } = attempts.at(-1) ?? {}
    const isTaken = status !== null && status >= 200 && status < 300
    if (mode === 'forge' ? isTaken : !isTaken)
      complaints.push(
        isTaken
          ? `the gateway took the forged callback of ${transactionId}`
          : `the callback of ${transactionId} is ${state}: ${error ?? `HTTP ${status}`}`,
      )
  }
  return complaints
}

/** The expected status of the order after a genuine callback; undefined without one, or before it. */
function expectedStatus(
  outcome: string,
  mode: string,
  isDelayed: boolean,
  before: Order,
): string | undefined {
  if (isDelayed || !['send', 'twice'].includes(mode)) return undefined
  if (outcome === 'success') return 'PAID'
  return outcome in kinds ? 'REFUNDED' : before.status
}

async function readOrder(database: Database, id: number): Promise<Order> {
  const store = createOrdersStore(database)
  const order = await store.findOrder(id)
  if (!order) throw new Error(`OD-${id} is not in this database any more`)
  const bookings = await store.findBookings([id])
  return {
    id,
    status: order.status,
    transactionId: order.transaction_id,
    awbs: bookings.map(({ awb }) => awb),
  }
}

const defaultWaitMs = '30000'
const issueWaitMs = 10_000

/** The gateway continues after its response: a paid order gets its airway bills within seconds. */
async function waitForOrder(
  database: Database,
  id: number,
  expected: string | undefined,
  waitMs: number,
): Promise<Order> {
  const started = Date.now()
  for (;;) {
    const order = await readOrder(database, id)
    const isOther = expected !== undefined && order.status !== expected
    const isUnissued = order.status === 'PAID' && order.awbs.includes(null)
    const passed = Date.now() - started
    if (!(isOther && passed < waitMs) && !(isUnissued && passed < issueWaitMs)) return order
    await pause(200)
  }
}

/** The order of these payments. @throws when none of their random references is in this database. */
async function ownOrder(database: Database, base: string, payments: readonly Payment[]): Promise<Order> {
  const store = createPaymentsStore(database)
  for (const { reference } of payments) {
    const attempt = reference === null ? undefined : await store.findByReference(reference)
    if (attempt) return readOrder(database, attempt.order_id)
  }
  throw new Error(
    `The simulator at ${base} works for another database: this one knows no payment ${payments.map(({ reference, id }) => reference ?? id).join(', ')}. Set DATA_DIR or DATABASE_URL to the one of that gateway, or MOCK_PARTNER_PORT to the simulator of this one, or add --provider-only. Nothing was done.`,
  )
}

await runTool(usage, async (args) => {
  const { values, positionals } = readArguments(args, {
    callback: { type: 'string' },
    delay: { type: 'string' },
    wait: { type: 'string' },
    'provider-only': { type: 'boolean' },
  })
  const [outcome, order, ...rest] = positionals
  if (outcome === undefined || order === undefined || rest.length > 0)
    throw new UsageError('name one outcome and one order')
  const wait = values.wait ?? defaultWaitMs
  for (const [name, given] of Object.entries({ delay: values.delay ?? '0', wait }))
    if (!/^\d+$/.test(given)) throw new UsageError(`--${name} must be milliseconds.`)
  const base = simulatorUrl()
  // The number shown on the screens.
  const ref = encodeURIComponent(/^OD-(\d+)$/i.exec(order)?.[1] ?? order)
  const { payments: before } = await ask<{ payments: Payment[] }>(base, `/payments/${ref}`)

  /** Without a `database` only the provider is queried, and `why` is printed. */
  const work = async (database: Database | undefined, why = '') => {
    const own = database && (await ownOrder(database, base, before))
    const mode = values.callback ?? 'send'
    const isDelayed = Number(values.delay ?? 0) > 0
    const answer = await ask<{ redirectUrl: string | null; callbacks: Callback[] }>(
      base,
      `/payments/${ref}/replay`,
      {
        outcome,
        ...(values.callback === undefined ? {} : { callback: values.callback }),
        ...(values.delay === undefined ? {} : { delayMs: Number(values.delay) }),
      },
    )
    console.log(`${outcome} for ${order}`)
    console.log(answer.callbacks.length === 0 ? 'No callback was sent.' : 'Callbacks:')
    for (const callback of answer.callbacks) console.log(describeCallback(callback))
    console.log(
      `The customer's browser would go to:\n  ${answer.redirectUrl ?? 'nowhere (no redirection_url)'}`,
    )

    const { payments } = await ask<{ payments: Payment[] }>(base, `/payments/${ref}`)
    printPayments(payments)
    const known = new Set(before.flatMap(({ transactions }) => transactions.map(({ id }) => id)))
    const added = payments.flatMap(({ transactions }) => transactions).filter(({ id }) => !known.has(id))
    const complaints = complaintsOf(outcome, mode, isDelayed, answer.callbacks, added)

    if (database && own) {
      const expected = expectedStatus(outcome, mode, isDelayed, own)
      const { id, status, transactionId, awbs } = await waitForOrder(database, own.id, expected, Number(wait))
      const paidBy = transactionId === null ? '' : `, transaction ${transactionId}`
      console.log(
        `What became of the order:\n  OD-${id}: ${status}${paidBy}, airway bill ${awbs.map((awb) => awb ?? 'none yet').join(', ')}`,
      )
      if (expected !== undefined && status !== expected)
        complaints.push(`OD-${id} is ${status} and not ${expected}`)
    } else console.log(`The order was not read: ${why}`)
    if (complaints.length > 0) throw new Error(`Not as asked: ${complaints.join('; ')}`)
  }

  if (values['provider-only']) return work(undefined, '--provider-only')
  const location = readDatabaseLocation()
  if (location.engine === 'sqlite' && !existsSync(location.file))
    return work(undefined, `there is no database at ${location.file}. Set DATA_DIR or DATABASE_URL.`)
  return withSource(location, {}, ({ database }) => work(database))
})
