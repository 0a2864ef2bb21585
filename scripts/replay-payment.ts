import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type OrderReport, readOrderReport } from './lib/order-report.ts'

const usage =
  'usage: npm run replay -- <success|decline|cancel|refund|void> <order> [--callback lose|twice|late|forge|mismatch] [--delay ms]'

const base = (
  process.env.MOCK_PARTNER_URL ||
  `http://${process.env.HOST || '127.0.0.1'}:${process.env.MOCK_PARTNER_PORT || '4000'}`
).replace(/\/$/, '')

/** Ends the script with one line that says what to do. */
function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

interface Attempt {
  at: string
  status: number | null
  error: string | null
}

interface Callback {
  type: string
  transactionId: number
  mode: string
  url: string
  state: string
  attempts: Attempt[]
  nextAttemptAt: string | null
}

interface Payment {
  id: string
  orderNumber: number | string | null
  reference: string | null
  amount: number
  currency: string
  status: string
  transactions: {
    id: number
    kind: string
    success: boolean
    pending: boolean
    amount: number
    message: string
    isVoided: boolean
    refundedAmount: number
  }[]
  callbacks: Callback[]
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const answer = await fetch(`${base}/control${path}`, init).catch(() =>
    fail(`The mock partner does not answer at ${base}. Start it with npm start, or set MOCK_PARTNER_URL.`),
  )
  const json: unknown = await answer.json().catch(() => fail(`${base} is not a mock partner.`))
  if (answer.ok) return json as T
  const { message } = json as { message?: string }
  return fail(message ?? `The mock partner answered HTTP ${answer.status}.`)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { callback: { type: 'string' }, delay: { type: 'string' } },
    })
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}

const money = (halalas: number, currency: string) => `${currency} ${(halalas / 100).toFixed(2)}`

function describeCallback({ type, transactionId, mode, state, attempts, nextAttemptAt }: Callback): string {
  const answers = attempts.map(({ status, error }) => (status === null ? error : `HTTP ${status}`))
  const next = nextAttemptAt === null ? '' : `, next attempt ${nextAttemptAt}`
  const heard = answers.length === 0 ? '' : `: ${answers.join(', ')}`
  return `  ${type} ${transactionId} (${mode}) ${state}${heard}${next}`
}

const { values, positionals } = readArguments()
const [outcome, order, ...rest] = positionals
if (outcome === undefined || order === undefined || rest.length > 0) fail(usage)
if (values.delay !== undefined && !/^\d+$/.test(values.delay)) fail(`--delay must be milliseconds.\n${usage}`)

const ref = encodeURIComponent(order)
const answer = await ask<{ redirectUrl: string | null; callbacks: Callback[] }>(`/payments/${ref}/replay`, {
  outcome,
  ...(values.callback === undefined ? {} : { callback: values.callback }),
  ...(values.delay === undefined ? {} : { delayMs: Number(values.delay) }),
})

console.log(`${outcome} for ${order}`)
console.log(answer.callbacks.length === 0 ? 'No callback was sent.' : 'Callbacks:')
for (const callback of answer.callbacks) console.log(describeCallback(callback))
console.log(`The customer's browser would go to:\n  ${answer.redirectUrl ?? 'nowhere (no redirection_url)'}`)

const { payments } = await ask<{ payments: Payment[] }>(`/payments/${ref}`)
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

/** The gateway works on after it has answered: a paid order gets its airway bills within seconds. */
async function waitForOrder(orderId: number): Promise<OrderReport | undefined> {
  const place = { url: process.env.DATABASE_URL || undefined, dataDir: process.env.DATA_DIR || './data' }
  const deadline = Date.now() + 10_000
  for (;;) {
    const report = await readOrderReport(orderId, place)
    const isWaiting = report?.status === 'PAID' && report.awbs.includes(null)
    if (!isWaiting || Date.now() >= deadline) return report
    await pause(200)
  }
}

const orderNumber = Number(payments[0]?.orderNumber)
const report = Number.isSafeInteger(orderNumber) ? await waitForOrder(orderNumber) : undefined
if (report) {
  const awbs = report.awbs.map((awb) => awb ?? 'none yet').join(', ')
  const paidBy = report.transactionId === null ? '' : `, transaction ${report.transactionId}`
  console.log(
    `What became of the order:\n  OD-${orderNumber}: ${report.status}${paidBy}, airway bill ${awbs}`,
  )
}
