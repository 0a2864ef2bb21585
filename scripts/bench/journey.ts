import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { type Browser, send } from './client.ts'
import type { ReportedOrder } from './ledger.ts'

/** Origin and destination of a bag, by the partner's codes. */
export interface Route {
  readonly agentCode: string
  readonly centerCode: string
}

/** Prefixes of mobile numbers without a scenario of the simulator. */
const operators = ['53', '54', '55', '56', '58', '59']

/**
 * A mobile number, unique per index. Successive indexes have different prefixes, because sign-in is limited by prefix.
 */
export function phoneOf(index: number): string {
  const operator = operators[index % operators.length]
  const rest = Math.floor(index / operators.length)
  const prefix = String(rest % 1_000).padStart(3, '0')
  const last = String(Math.floor(rest / 1_000) % 10_000).padStart(4, '0')
  return `+966${operator}${prefix}${last}`
}

/** Responses of the control API of the simulator. */
async function askSimulator<T>(simulator: Pool, path: string, body?: unknown): Promise<T> {
  const { status, body: bytes } = await send(simulator, {
    method: body === undefined ? 'GET' : 'POST',
    path: `/control${path}`,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (status !== 200) throw new Error(`/control${path} answered ${status}: ${bytes.toString()}`)
  return JSON.parse(bytes.toString())
}

/** The newest code that was sent to a phone. */
export async function codeFor(simulator: Pool, phone: string): Promise<string> {
  const { messages } = await askSimulator<{ messages: { code: string }[] }>(
    simulator,
    `/inbox?phone=${encodeURIComponent(phone)}`,
  )
  const code = messages[0]?.code
  if (code === undefined) throw new Error('no code has come')
  return code
}

/** The provider's part of a journey: accepts the card and delivers the callback. */
export async function pay(simulator: Pool, orderId: number): Promise<void> {
  await askSimulator(simulator, `/payments/${orderId}/replay`, { outcome: 'success' })
}

export function checkoutBody(userId: number, route: Route) {
  return { userId, type: 'FROM_MINA' as const, noOfPackages: 1, amount: 50, ...route }
}

const pollMs = 50

/** Polls the order until it has an airway bill or time is up; returns the last response. */
export async function awaitBill(browser: Browser, orderId: number, withinMs: number): Promise<ReportedOrder> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { order } = await browser.call(readOrder, { params: { id: orderId } })
    const awb = order.bookings[0]?.awb ?? null
    if (awb !== null || performance.now() > deadline) return { orderId, status: order.status, awb }
    await pause(pollMs)
  }
}

export interface Journey {
  readonly ms: number
  readonly reported?: ReportedOrder
  /** Why it failed. */
  readonly failure?: string
  readonly hasCheckedOut: boolean
}

/** Sign-up, checkout, payment and callback, airway bill, order, without pauses. */
export async function travel(
  browser: Browser,
  simulator: Pool,
  phone: string,
  route: Route,
  withinMs = 60_000,
): Promise<Journey> {
  const startedAt = performance.now()
  let hasCheckedOut = false
  let reported: ReportedOrder | undefined
  try {
    await browser.load(requestOtp, { body: { phone, name: 'Maryam Al-Harbi' } })
    const code = await codeFor(simulator, phone)
    const { user } = await browser.call(verifyOtp, { body: { phone, code, name: 'Maryam Al-Harbi' } })
    hasCheckedOut = true
    const { orderId } = await browser.call(checkout, { body: checkoutBody(user.id, route) })
    reported = { orderId, status: 'PENDING_PAYMENT', awb: null }
    await pay(simulator, orderId)
    reported = await awaitBill(browser, orderId, withinMs)
    if (reported.awb === null) throw new Error(`no airway bill within ${withinMs} ms`)
    return { ms: performance.now() - startedAt, reported, hasCheckedOut }
  } catch (error) {
    return {
      ms: performance.now() - startedAt,
      ...(reported && { reported }),
      failure: error instanceof Error ? error.message : String(error),
      hasCheckedOut,
    }
  }
}
