import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readConfig } from '#shared/config/config.operations.ts'
import {
  listAgentOrders,
  listUserOrders,
  readLabel,
  readLabelPdf,
  readOrder,
  renewPayment,
} from '#shared/orders/orders.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import {
  readAgentSession,
  readUserSession,
  requestOtp,
  sendAgentOtp,
  verifyAgentOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import type { Random } from '#test/kit/random.ts'
import type { Browser, CallInput } from './client.ts'
import { checkoutBody, codeFor, pay, type Route } from './journey.ts'
import type { ReportedOrder } from './ledger.ts'

/**
 * The requests of one order on the peak day: 55, of which 25 are of the buyer, 10 of each of two visitors who do not buy,
 * 8 of the agent and 2 callbacks. Of the callbacks only the payment provider's exists so far.
 */

/** Pause between two requests of a user; shorter than real, so that a short run reaches its full load at once. */
const meanThinkingMs = 200
/** Poll interval of the app until the airway bill is issued. */
const pollMs = 1_000
const billWithinMs = 120_000

export interface Visitor {
  readonly browser: Browser
  readonly simulator: Pool
  readonly random: Random
  readonly phone: string
}

/** Exponential, of this mean, never more than eight times as long. */
const thinkingMs = (meanMs: number, random: Random) => Math.min(-Math.log(1 - random.next()), 8) * meanMs

/** Sends one request after another, with a pause after each response. */
function pacing({ browser, random }: Pick<Visitor, 'browser' | 'random'>) {
  const due = async () => {
    const dueAt = performance.now() + thinkingMs(meanThinkingMs, random)
    await pause(dueAt - performance.now())
    return dueAt
  }
  return {
    load: async <O extends OperationShape>(operation: O, input: CallInput<O> = {}) =>
      browser.load(operation, { ...input, dueAt: await due() }),
    call: async <O extends OperationShape>(operation: O, input: CallInput<O> = {}) =>
      browser.call(operation, { ...input, dueAt: await due() }),
  }
}

type Pace = ReturnType<typeof pacing>

/** The first requests of every document: the configuration and both sessions. 3 requests. */
async function openDocument({ load }: Pace): Promise<void> {
  await load(readConfig)
  await load(readUserSession, { query: 'probe=1', alsoRight: [401] })
  await load(readAgentSession, { query: 'probe=1', alsoRight: [401] })
}

/** 2 requests. */
async function signIn({ load, call }: Pace, { phone, simulator }: Visitor): Promise<number> {
  await load(requestOtp, { body: { phone, name: 'Maryam Al-Harbi' } })
  const code = await codeFor(simulator, phone)
  const { user } = await call(verifyOtp, { body: { phone, code, name: 'Maryam Al-Harbi' } })
  return user.id
}

/** Signs in, views the lists and leaves: 10 requests. */
export async function browse(visitor: Visitor): Promise<void> {
  const pace = pacing(visitor)
  await openDocument(pace)
  const userId = await signIn(pace, visitor)
  await pace.load(readUserSession)
  await pace.load(listAgents)
  await pace.load(listCenters)
  await pace.load(listUserOrders, { params: { userId } })
  await pace.load(readUserSession)
}

/** Called at each step of the order, so that the progress of a failed visit is known. */
export interface Purchase {
  onCheckout(): void
  onReported(reported: ReportedOrder): void
}

/** Orders, pays, polls for the airway bill and opens it twice: 25 requests, if the second poll finds it. */
export async function buy(visitor: Visitor, route: Route, purchase: Purchase): Promise<number> {
  const pace = pacing(visitor)
  const { load, call } = pace
  await openDocument(pace)
  const userId = await signIn(pace, visitor)
  await load(readUserSession)
  await load(listAgents)
  await load(listCenters)
  purchase.onCheckout()
  const { orderId } = await call(checkout, { body: checkoutBody(userId, route) })
  purchase.onReported({ orderId, status: 'PENDING_PAYMENT', awb: null })
  const params = { id: orderId }

  // The payment page is a document of its own.
  await openDocument(pace)
  await load(renewPayment, { params, body: {} })
  await pay(visitor.simulator, orderId)

  await openDocument(pace)
  const awb = await awaitBill()
  await loadLabel(pace, awb)
  await load(listUserOrders, { params: { userId } })
  await load(readOrder, { params })
  // Opens the app again at the luggage.
  await openDocument(pace)
  await loadLabel(pace, awb)
  return orderId

  async function awaitBill(): Promise<string> {
    const deadline = performance.now() + billWithinMs
    for (;;) {
      const { order } = await call(readOrder, { params })
      const bill = order.bookings[0]?.awb ?? null
      purchase.onReported({ orderId, status: order.status, awb: bill })
      if (bill !== null) return bill
      if (performance.now() > deadline) throw new Error('no airway bill has come')
      await pause(pollMs)
    }
  }
}

/** The number is issued before its file, so "not ready" is accepted for a moment. */
async function loadLabel({ load }: Pace, awb: string): Promise<void> {
  const deadline = performance.now() + billWithinMs
  while ((await load(readLabelPdf, { params: { awb }, alsoRight: ['LABEL_NOT_READY'] })) !== 200) {
    if (performance.now() > deadline) throw new Error('no label has come')
    await pause(pollMs)
  }
}

export interface SignedInAgent {
  readonly browser: Browser
  readonly agentId: number
}

export async function signInAgent(browser: Browser, simulator: Pool, phone: string): Promise<SignedInAgent> {
  await browser.load(sendAgentOtp, { body: { phone } })
  const code = await codeFor(simulator, phone)
  const { agent } = await browser.call(verifyAgentOtp, { body: { phone, code } })
  return { browser, agentId: agent.id }
}

/** Handles the bags of an order, found by a scanned number and by a name: 8 requests. */
export async function collect(
  { browser, agentId }: SignedInAgent,
  orderId: number,
  awb: string,
  random: Random,
): Promise<void> {
  const pace = pacing({ browser, random })
  const { load } = pace
  const params = { agentId }
  await load(readAgentSession)
  await load(listAgentOrders, { params })
  await load(readOrder, { params: { id: orderId } })
  await load(readLabel, { params: { awb }, alsoRight: ['LABEL_NOT_READY'] })
  await load(listAgentOrders, { params, query: `q=${awb}` })
  await load(readOrder, { params: { id: orderId } })
  await loadLabel(pace, awb)
  await load(listAgentOrders, { params, query: 'q=Maryam' })
}
