import type { Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { startVisits, type Visit, type Visits, workerIsReady } from '#test/kit/browser/chromium.ts'
import { startOrder } from '#test/kit/browser/page-orders.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'
import type { Person } from '#test/kit/gateway/person.ts'
import { startRelay } from '#test/kit/programs/gateway-relay.ts'
import { type Stack, startStack } from '#test/kit/programs/stack.ts'
import { liftedLimits } from './deployment.ts'
import { presses, signInAs, waitingBag } from './presses.ts'
import { figure, type Options, type Result, say, summaryOf } from './report.ts'

/**
 * What a phone on one bar of signal waits for, in Chromium: at 400 kbit/s and 400 ms without cache; without any
 * network; and on a network that accepts and never answers. Then how long a press takes on a slow phone.
 */

const slowLine = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
}

const waits = [
  {
    what: 'home readable',
    promised: 2,
    measure: (visits: Visits, stack: Stack) => secondsOnSlowLine(visits, stack, paths.home, headingIsPainted),
  },
  {
    what: 'phone field usable',
    promised: 5,
    measure: (visits: Visits, stack: Stack) =>
      secondsOnSlowLine(visits, stack, paths.auth, phoneFieldWorks, phoneIsKept),
  },
  { what: 'barcode on the page of an order', promised: 4, measure: orderOnSlowLine },
  { what: 'claim without network, from the list it starts with', promised: 2, measure: claimOffLine },
  { what: 'claim on a network that accepts and never answers', promised: 1.5, measure: claimOnHeldLine },
].map((wait) => ({ ...wait, unit: 's' }))

const rows = [...waits, ...presses]

export async function runPhone({ rounds }: Options): Promise<Result> {
  const stack = await startStack({ env: { ...liftedLimits, LOG_LEVEL: 'warn' } })
  const visits = await startVisits()
  const measured: number[][] = rows.map(() => [])
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const [index, { what, unit, measure }] of rows.entries()) {
        const value = await measure(visits, stack)
        measured[index]?.push(value)
        say(`  round ${round}: ${what}, ${figure(value)} ${unit}`)
      }
    }
  } finally {
    await visits.close()
    await stack.close()
  }
  const lines = rows.map(({ what, unit, promised }, index) => {
    const { median, slowest } = summaryOf(measured[index] ?? [])
    return { what, median, slowest, promised, unit }
  })
  return { lines, faults: [] }
}

async function secondsOnSlowLine(
  visits: Visits,
  stack: Stack,
  path: string,
  isThere: (page: Page) => Promise<unknown>,
  staysThere: (page: Page) => Promise<unknown> = async () => {},
  person?: Person,
): Promise<number> {
  const visit = await visits.open({ url: stack.gatewayUrl, language: 'ar' })
  if (person !== undefined) await signInAs(person, visit.page, stack)
  const line = await visit.page.context().newCDPSession(visit.page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', slowLine)
  const startedAt = performance.now()
  await visit.page.goto(path, { waitUntil: 'commit' })
  await isThere(visit.page)
  const seconds = (performance.now() - startedAt) / 1_000
  // A visit ends with a check of its pages, which must be complete.
  await visit.page.waitForLoadState('networkidle')
  await staysThere(visit.page)
  await visit.close()
  return seconds
}

async function orderOnSlowLine(visits: Visits, stack: Stack): Promise<number> {
  const { person, orderId } = await waitingBag(stack)
  return secondsOnSlowLine(visits, stack, paths.order(orderId), barcodeIsShown, undefined, person)
}

const barcodeIsShown = (page: Page) => page.getByRole('main').getByRole('img').first().waitFor()

async function headingIsPainted(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

const typed = '50 123 4567'

/** The field takes a number, before the app is there or after. */
async function phoneFieldWorks(page: Page): Promise<void> {
  await page.locator('input[type="tel"]').fill(typed)
}

/** @throws when the app has dropped what was typed before */
async function phoneIsKept(page: Page): Promise<void> {
  await page.locator('#served').waitFor({ state: 'detached' })
  const kept = await page.locator('input[type="tel"]').inputValue()
  if (kept !== typed) throw new Error(`the app has kept "${kept}" of "${typed}"`)
}

/**
 * From the start of the installed app until the barcode is shown: the list of orders, then the claim of the only
 * one.
 */
async function claimOffLine(visits: Visits, stack: Stack): Promise<number> {
  const visit = await visits.open({ url: stack.gatewayUrl, language: 'ar' })
  await keepClaim(visit, stack)
  const { t } = stepsOf(visit, stack)
  visit.expectConsole(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/)
  await visit.page.context().setOffline(true)
  const next = await visit.openPage()
  const startedAt = performance.now()
  await next.goto(paths.orders)
  await next.getByRole('link', { name: t('orders:show'), exact: true }).click()
  await next.getByRole('main').getByRole('img').first().waitFor()
  const seconds = (performance.now() - startedAt) / 1_000
  await visit.close()
  return seconds
}

/** From the start of the installed app, at the order's address, until the barcode is shown. */
async function claimOnHeldLine(visits: Visits, stack: Stack): Promise<number> {
  const relay = await startRelay(stack.gatewayUrl)
  try {
    const visit = await visits.open({ url: relay.url, language: 'ar' })
    const orderId = await keepClaim(visit, { ...stack, gatewayUrl: relay.url })
    relay.hold()
    const next = await visit.openPage()
    const startedAt = performance.now()
    await next.goto(paths.order(orderId), { waitUntil: 'commit' })
    await next.getByRole('main').getByRole('img').first().waitFor()
    const seconds = (performance.now() - startedAt) / 1_000
    relay.release()
    await visit.close()
    return seconds
  } finally {
    relay.release()
    await relay.close()
  }
}

async function keepClaim(visit: Visit, stack: Stack): Promise<number> {
  const { page, signUp, heading, t } = stepsOf(visit, stack)
  await signUp(newPhone(), 'Maryam Al-Harbi')
  const { orderId } = await startOrder(page)
  await stack.control.replay(orderId, 'success')
  await page.goto(paths.order(orderId))
  await page.getByRole('main').getByRole('img').first().waitFor()
  await workerIsReady(page)
  await page.goto(paths.orders)
  await heading(t('orders:title'))
  return orderId
}
