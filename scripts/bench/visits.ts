import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '#shared/config/config.operations.ts'
import { readLabel } from '#shared/orders/orders.api.ts'
import {
  listAgentOrders,
  listUserOrders,
  readLabelPdf,
  readOrder,
  renewPayment,
} from '#shared/orders/orders.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import {
  readAgentSession,
  readUserSession,
  sendAgentOtp,
  verifyAgentOtp,
} from '#shared/sessions/sessions.operations.ts'
import { receiveScans } from '#shared/tracking/tracking.api.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import type { Random } from '#test/kit/basics/random.ts'
import type { Control } from '#test/kit/programs/control.ts'
import type { Browser } from './client.ts'
import { order, type Route, signUp, untilBilled } from './journey.ts'
import type { Promised } from './ledger.ts'

/**
 * The requests of one order on the peak day: 58, of which 25 are the buyer's, 10 of each of two visitors who do
 * not buy, 8 the agent's, 1 the payment provider's callback and 4 the courier's pushes.
 */

/** Pause between two requests of a user; shorter than real, so that a short run reaches its full load at once. */
const meanThinkingMs = 200
const pollMs = 1_000
const billWithinMs = 120_000

/** The way of a bag (docs/wires/tracking.md T13 to T17): picked up, at the depot, at the branch, collected. */
const way = ['PU', 'AF', 'CC', 'DL'] as const

export interface Visitor {
  readonly browser: Browser
  readonly control: Control
  readonly phone: string
}

/** A browser whose user pauses before each request: exponentially, at most eight times the average. */
export function pacing(browser: Browser, random: Random): Browser {
  const due = async () => {
    const dueAt = performance.now() + Math.min(-Math.log(1 - random.next()), 8) * meanThinkingMs
    await pause(dueAt - performance.now())
    return dueAt
  }
  return {
    ...browser,
    load: async (operation, input) => browser.load(operation, { ...input, dueAt: await due() }),
    call: async (operation, input) => browser.call(operation, { ...input, dueAt: await due() }),
  }
}

/** The first requests of every document: the configuration and both sessions. 3 requests. */
async function openDocument({ load }: Browser): Promise<void> {
  await load(readConfig)
  await load(readUserSession, { query: 'probe=1', alsoRight: [401] })
  await load(readAgentSession, { query: 'probe=1', alsoRight: [401] })
}

/** Opens the app, signs in and views the lists: 8 requests. */
async function enter({ browser, control, phone }: Visitor): Promise<number> {
  await openDocument(browser)
  const userId = await signUp(browser, control, phone)
  await browser.load(readUserSession)
  await browser.load(listAgents)
  await browser.load(listCenters)
  return userId
}

/** Signs in, views the lists and leaves: 10 requests. */
export async function browse(visitor: Visitor): Promise<void> {
  const userId = await enter(visitor)
  await visitor.browser.load(listUserOrders, { params: { userId } })
  await visitor.browser.load(readUserSession)
}

/** Orders, pays, polls for the airway bill and opens it twice: 25 requests, if the second poll finds it. */
export async function buy(visitor: Visitor, route: Route, promised: Promised) {
  const { browser, control } = visitor
  const { load } = browser
  const userId = await enter(visitor)
  const reported = await order(browser, userId, route, promised)
  const { orderId } = reported
  const params = { id: orderId }

  await openDocument(browser)
  await load(renewPayment, { params, body: {} })
  await control.replay(orderId, 'success')

  await openDocument(browser)
  const awb = await untilBilled(browser, reported, { pollMs, withinMs: billWithinMs })
  await loadLabel(browser, awb)
  await load(listUserOrders, { params: { userId } })
  await load(readOrder, { params })
  await openDocument(browser)
  await loadLabel(browser, awb)
  return { reported, awb }
}

/** The number is issued before its file, so "not ready" is accepted briefly. */
async function loadLabel({ load }: Browser, awb: string): Promise<void> {
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

export async function signInAgent({ browser, control, phone }: Visitor): Promise<SignedInAgent> {
  await browser.load(sendAgentOtp, { body: { phone } })
  const code = await control.codeFor(phone)
  const { agent } = await browser.call(verifyAgentOtp, { body: { phone, code } })
  return { browser, agentId: agent.id }
}

/** Handles the bags of an order, found by a scanned number and by a name: 8 requests. */
export async function collect(
  { browser, agentId }: SignedInAgent,
  { reported: { orderId }, awb }: Awaited<ReturnType<typeof buy>>,
): Promise<void> {
  const { load } = browser
  const params = { agentId }
  await load(readAgentSession)
  await load(listAgentOrders, { params })
  await load(readOrder, { params: { id: orderId } })
  await load(readLabel, { params: { awb }, alsoRight: ['LABEL_NOT_READY'] })
  await load(listAgentOrders, { params, query: `q=${awb}` })
  await load(readOrder, { params: { id: orderId } })
  await loadLabel(browser, awb)
  await load(listAgentOrders, { params, query: 'q=Maryam' })
}

/** The courier reports the way of a bag, each scan in a push of its own: 4 requests. */
export async function report(
  courier: Browser,
  { reported, awb }: Awaited<ReturnType<typeof buy>>,
  city: string,
): Promise<void> {
  const pickedUpAt = Date.now() - way.length * 1_000
  for (const [index, code] of way.entries()) {
    const scan = {
      ScanType: code,
      ScanDescription: code,
      City: city,
      ScanDateTime: new Date(pickedUpAt + index * 1_000).toISOString().slice(0, 19),
      ScanTimeZone: '+00:00',
    }
    await courier.load(receiveScans, {
      headers: { [webhookKeyHeader]: demoAccounts.shipping.webhookKey, 'sec-fetch-site': 'cross-site' },
      body: [{ AWB: awb, Scans: [scan] }],
    })
  }
  reported.isDelivered = true
}
