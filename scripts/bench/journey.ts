import { setTimeout as pause } from 'node:timers/promises'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import type { Control } from '#test/kit/programs/control.ts'
import type { Browser } from './client.ts'
import type { Lists } from './deployment.ts'
import type { Promised, ReportedOrder } from './ledger.ts'

export interface Route {
  readonly agentCode: string
  readonly centerCode: string
}

/** Several routes, so that requests do not all read the same rows. */
export function routesOf({ agents, centers }: Lists): Route[] {
  return centers.slice(0, 40).map(({ code }, index) => ({
    agentCode: agents[index % agents.length]?.id ?? '',
    centerCode: code,
  }))
}

const operators = ['53', '54', '55', '56', '58', '59']

/**
 * A mobile number, unique per index. Successive ones have different prefixes, because sign-in is limited by
 * prefix.
 */
export function phoneOf(index: number): string {
  const operator = operators[index % operators.length]
  const rest = Math.floor(index / operators.length)
  const prefix = String(rest % 1_000).padStart(3, '0')
  const last = String(Math.floor(rest / 1_000) % 10_000).padStart(4, '0')
  return `+966${operator}${prefix}${last}`
}

export function checkoutBody(userId: number, route: Route) {
  return { userId, type: 'FROM_MINA' as const, noOfPackages: 1, amount: 50, ...route }
}

export const newPromised = (): Promised => ({ checkouts: 0, orders: [] })

export async function signUp(browser: Browser, control: Control, phone: string): Promise<number> {
  const name = 'Maryam Al-Harbi'
  await browser.load(requestOtp, { body: { phone, name } })
  const code = await control.codeFor(phone)
  const { user } = await browser.call(verifyOtp, { body: { phone, code, name } })
  return user.id
}

/** An unpaid order; it is added to `promised` before it can fail. */
export async function order(
  browser: Browser,
  userId: number,
  route: Route,
  promised: Promised,
): Promise<ReportedOrder> {
  promised.checkouts += 1
  const { orderId } = await browser.call(checkout, { body: checkoutBody(userId, route) })
  const reported: ReportedOrder = { orderId, status: 'PENDING_PAYMENT', awb: null }
  promised.orders.push(reported)
  return reported
}

/** @throws when time is up */
export async function untilBilled(
  browser: Browser,
  reported: ReportedOrder,
  { pollMs = 50, withinMs = 60_000 } = {},
): Promise<string> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { order } = await browser.call(readOrder, { params: { id: reported.orderId } })
    reported.status = order.status
    reported.awb = order.bookings[0]?.awb ?? null
    if (reported.awb !== null) return reported.awb
    if (performance.now() > deadline) throw new Error(`no airway bill within ${withinMs} ms`)
    await pause(pollMs)
  }
}

export async function travel(
  browser: Browser,
  control: Control,
  phone: string,
  route: Route,
  promised: Promised,
): Promise<{ readonly userId: number; readonly orderId: number }> {
  const userId = await signUp(browser, control, phone)
  const reported = await order(browser, userId, route, promised)
  await control.replay(reported.orderId, 'success')
  await untilBilled(browser, reported)
  return { userId, orderId: reported.orderId }
}
