import type { Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type Visit, workerIsReady } from '#test/kit/browser/chromium.ts'
import { expect, inFull, test } from '#test/kit/browser/journey.ts'
import { firstRoute, startOrder } from '#test/kit/browser/page-orders.ts'
import { violationsCounted, watchViolations } from '#test/kit/browser/page-watch.ts'
import { readScreen } from '#test/kit/browser/pdf.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, type Steps, stepsOf } from '#test/kit/browser/steps.ts'
import { startRelay } from '#test/kit/programs/gateway-relay.ts'

/** Passes without a network, in a browser with the service worker in control. */

const person = { name: 'Maryam Al-Harbi', other: 'Bilal Khan' }

const site = siteForFile({ env: {} })

/** Without a network the browser writes every failed request to the console. */
const offlineWords = /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)/

/** Flight mode: the browser knows that there is no network, and nothing answers, not even to the worker. */
async function goOffline({ page, expectConsole }: Visit): Promise<void> {
  expectConsole(offlineWords)
  await page.context().setOffline(true)
  await site.stack.stopAnswering()
}

/** An order of the signed-in user, paid without the card form, with its airway bill. Ends on its result page. */
async function payOrder({ page, t, named }: Steps): Promise<{ orderId: number; awb: string }> {
  const { orderId } = await startOrder(page)
  await site.stack.control.replay(orderId, 'success')
  await page.goto(paths.thankYou({ success: true, merchantOrderId: orderId }))
  await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
  return { orderId, awb: await shownAwb(page) }
}

/** The airway bill number of the pass on screen, once it has been issued. */
async function shownAwb(page: Page): Promise<string> {
  const file = page.locator('a[href*="/api/orders/barcode/"]').first()
  // It is folded below More.
  await file.waitFor({ state: 'attached' })
  return /barcode\/(\d+)/.exec((await file.getAttribute('href')) ?? '')?.[1] ?? ''
}

interface Kept {
  /** What the page stored: keys and values. */
  readonly stored: string
  /** The addresses of what the worker stored, and its texts. */
  readonly urls: readonly string[]
  readonly texts: string
}

/** Everything this origin keeps in the browser, beside cookies. */
async function keptOnPhone(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const urls: string[] = []
    const texts: string[] = []
    for (const name of await caches.keys()) {
      const store = await caches.open(name)
      for (const key of await store.keys()) {
        urls.push(key.url)
        const isText = !/\.woff2$/.test(key.url)
        if (isText) texts.push((await (await store.match(key))?.text()) ?? '')
      }
    }
    return {
      stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases]),
      urls,
      texts: texts.join('\n'),
    }
  })
}

/** Not a matcher on the texts themselves: its message would show all of them. */
const holds = ({ stored, texts }: Kept, what: string) => stored.includes(what) || texts.includes(what)

const isKept = (page: Page, what: string) =>
  eventually(async () => ((await keptOnPhone(page)).stored.includes(what) ? true : undefined))

const barcodeOf = ({ page, t }: Steps, awb: string) =>
  page.getByRole('img', { name: t('awb:barcode', { awb }), exact: true }).first()

test('a pass is kept from the moment of payment: in flight mode it opens, shows and scans', async () => {
  const opened = await site.open({ language: 'ar' })
  const before = stepsOf(opened, site.stack)
  await before.signUp(newPhone(), person.name)
  await before.chooseRoute(await firstRoute(before.page))
  const form = await before.goToPayment()
  const paymentAddress = before.page.url()
  await before.payWith(form, cards.approved)
  await before.named('dialog', before.t('payment:thankYou.titles.PAID')).waitFor()
  const result = before.page.url()
  const awb = await shownAwb(before.page)
  await workerIsReady(before.page)
  await isKept(before.page, awb)
  expect(await violationsCounted(site.stack)).toBe(0)

  const context = before.page.context()
  await goOffline(opened)
  const page = await opened.openPage()
  await before.page.close()
  const violations = await watchViolations(page)
  const offline = stepsOf({ ...opened, page }, site.stack)
  const note = page.getByText(offline.t('kept-note:why.offline'), { exact: true })

  await page.goto(paths.orders)
  await offline.heading(offline.t('orders:title'))
  await note.waitFor()
  await offline.named('link', offline.t('orders:show')).click()
  await offline.heading(offline.t('pass:kept'))
  await page.getByText(offline.t('pass:why.offline')).waitFor()
  await barcodeOf(offline, awb).scrollIntoViewIfNeeded()
  expect(await readScreen(await page.screenshot())).toBe(awb)
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('ar')

  await page.goto(result)
  await offline.named('dialog', offline.t('pass:kept')).waitFor()
  await barcodeOf(offline, awb).scrollIntoViewIfNeeded()
  expect(await readScreen(await page.screenshot())).toBe(awb)

  // What costs money does not begin, and no sign-in is asked for.
  await page.goto(paths.booking)
  await offline.heading(offline.t('shell:needsConnection.title'))
  expect(new URL(page.url()).pathname).toBe(paths.booking)
  await page.getByRole('link', { name: offline.t('shell:keptOrders'), exact: true }).click()
  await note.waitFor()
  // Every page of the app is stored, also those that were never opened.
  await page.goto(paths.privacyPolicy)
  await offline.heading(offline.t('privacy:title'))
  await page.goto(paths.orders)
  await note.waitFor()
  // The payment document comes from the server or not at all.
  const another = await context.newPage()
  await expect(another.goto(paymentAddress)).rejects.toThrow(offlineWords)
  await another.close()

  await site.stack.answerAgain()
  await context.setOffline(false)
  await note.waitFor({ state: 'detached' })
  const listed = offline.order(Number(new URL(paymentAddress).searchParams.get('orderId')))
  await listed.getByRole('button', { name: offline.t('orders:journey.files'), exact: true }).click()
  await listed.getByRole('link', { name: offline.t('awb:download'), exact: true }).waitFor()
  expect(violations).toEqual([])
  expect(await violationsCounted(site.stack)).toBe(0)
  const { urls } = await keptOnPhone(page)
  expect(urls.filter((url) => !/\/assets\/|\/orders\?document=(ar|en)$/.test(url))).toEqual([])
})

inFull('a log-out leaves nothing of it on the phone', async () => {
  const visit = await site.open({ language: 'en' })
  const steps = stepsOf(visit, site.stack)
  const phone = newPhone()
  await steps.signUp(phone, person.name)
  const { orderId, awb } = await payOrder(steps)
  await workerIsReady(steps.page)
  await isKept(steps.page, awb)
  await steps.named('button', steps.t('payment:thankYou.close')).click()
  await steps.logOut()
  const kept = await keptOnPhone(steps.page)
  // The files of the app are there, what belongs to the person is not.
  expect(kept.urls.some((url) => url.endsWith('/orders?document=en'))).toBe(true)
  const own = [awb, orderNumber(orderId), `"orderId":${orderId}`, phone, person.name]
  expect(own.filter((what) => holds(kept, what))).toEqual([])
  expect(kept.stored).not.toContain('keptOrders')
})

test('a new release is offered, and taken on request', async () => {
  const relay = await startRelay(site.stack.gatewayUrl)
  try {
    const opened = await site.open({ url: relay.url, language: 'ar' })
    const steps = stepsOf(opened, { ...site.stack, gatewayUrl: relay.url })
    const { page, t } = steps
    const release = () => page.locator('meta[name="release"]').getAttribute('content')
    await steps.signUp(newPhone(), person.name)
    await workerIsReady(page)
    const first = await release()
    relay.publish()
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await page.getByText(t('offline:update.text'), { exact: true }).waitFor()
    // Nothing changes under the hands of the user.
    await steps.heading(t('booking:title'))
    expect(await release()).toBe(first)
    await Promise.all([page.waitForEvent('load'), steps.named('button', t('offline:update.load')).click()])
    await steps.heading(t('booking:title'))
    expect(await release()).toBe(relay.next)
    expect(await page.getByText(t('offline:update.text'), { exact: true }).count()).toBe(0)
    expect(await page.evaluate(() => caches.keys())).toEqual([`app-${relay.next}`])
    await opened.close()
  } finally {
    await relay.close()
  }
})

test('on a network that accepts and never answers the pass is there while every request is held', async () => {
  const relay = await startRelay(site.stack.gatewayUrl)
  try {
    const opened = await site.open({ url: relay.url, language: 'ar' })
    const before = stepsOf(opened, { ...site.stack, gatewayUrl: relay.url })
    await before.signUp(newPhone(), person.name)
    const { orderId, awb } = await payOrder(before)
    await workerIsReady(before.page)
    await isKept(before.page, awb)
    await before.page.close()

    relay.hold()
    const page = await opened.openPage()
    // No timer of the page runs: nothing of it may wait for the network to be called slow.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const { t } = before
    await page.goto(paths.order(orderId), { waitUntil: 'commit' })
    await page
      .getByRole('img', { name: t('awb:barcode', { awb }), exact: true })
      .first()
      .waitFor()
    await page.getByText(t('pass:why.waiting')).waitFor()
    await page.clock.resume()
    expect(relay.release()).toBeGreaterThan(0)
    await page.getByRole('heading', { name: t('payment:thankYou.titles.PAID'), exact: true }).waitFor()
    expect(await page.getByText(t('pass:why.waiting')).count()).toBe(0)
    await opened.close()
  } finally {
    relay.release()
    await relay.close()
  }
})
