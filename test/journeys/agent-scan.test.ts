import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { handoverPhotoMaxBytes } from '#shared/orders/handovers.operations.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import type { Visit } from '#test/kit/browser/chromium.ts'
import { writeEmptyFilm, writeLabelFilm } from '#test/kit/browser/film.ts'
import { expect, inFull, test } from '#test/kit/browser/journey.ts'
import { doubleText } from '#test/kit/browser/large-text.ts'
import { violationsCounted } from '#test/kit/browser/page-watch.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { type Steps, stepsOf } from '#test/kit/browser/steps.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

/** The agent receives bags, in Chromium with a camera that shows a film of the printed label. */

/** One for each journey, because a phone gets one code per minute. */
const agents = {
  camera: '+966500000101',
  offline: '+966500000102',
  refused: '+966500000103',
  largeText: '+966500000104',
} as const
/** On a small phone it takes two lines of the bar with the undo. */
const bagOwner = 'Abdurrahman Muhammad Al-Ghamdi'

const folder = mkdtempSync(join(tmpdir(), 'amtiati-film-'))
const film = join(folder, 'camera.y4m')
writeEmptyFilm(film)
const site = siteForFile({ camera: film, env: {} })
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface PaidBag {
  readonly owner: Person
  readonly orderId: number
  readonly awb: string
  readonly label: Uint8Array
}

/** A paid order of a new pilgrim at the agent, with its label. */
async function paidBag(agentPhone: string): Promise<PaidBag> {
  const owner = newPerson(site.stack)
  const { id } = await owner.signUp(newPhone(), bagOwner)
  const agent = (await owner.agents()).find(({ phone }) => phone.replace(/\s/g, '') === agentPhone)
  if (agent === undefined) throw new Error('the agent is not on the list')
  const { orderId } = await owner.checkout(id, { agentCode: agent.id })
  await site.stack.control.replay(orderId, 'success')
  const awb = await eventually(async () => (await owner.order(orderId)).bookings[0]?.awb ?? undefined)
  const label = await eventually(async () => {
    const { status, bytes } = await owner.send('GET', `/api/orders/barcode/${awb}.pdf`)
    return status === 200 ? bytes : undefined
  })
  return { owner, orderId, awb, label }
}

/** How often the bag was handed over, as its owner sees it. */
async function handovers({ owner, orderId }: PaidBag): Promise<number> {
  const { bookings } = await owner.order(orderId)
  return bookings.flatMap(({ events }) => events.filter(({ kind }) => kind === 'handed-over')).length
}

const stateOf = async ({ owner, orderId }: PaidBag) => (await owner.order(orderId)).bookings[0]?.state

/** The picture of the hand-over, as the owner's order names it. */
const photoOf = async ({ owner, orderId }: PaidBag) => (await owner.order(orderId)).bookings[0]?.photo

async function openAsAgent(
  language: 'ar' | 'en',
  agentPhone: string,
): Promise<{ visit: Visit; steps: Steps }> {
  const opened = await site.open({ language })
  await opened.page.context().grantPermissions(['camera'])
  const steps = stepsOf(opened, site.stack)
  await opened.page.goto(paths.agentAuth)
  await steps.heading(steps.t('sessions:agent.title'))
  await steps.signInAgent(agentPhone)
  return { visit: opened, steps }
}

/** Until the worker controls this page and has stored the scanner with its own document. */
async function scannerIsStored(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })
  await eventually(async () => {
    const isStored = await page.evaluate(async () => {
      const documents = ['ar', 'en'].map((language) => caches.match(`/agent-scan?document=${language}`))
      return (await Promise.all(documents)).every((response) => response !== undefined)
    })
    return isStored ? true : undefined
  })
}

async function enterNumber({ named, t }: Steps, awb: string): Promise<void> {
  await named('textbox', t('handovers:number.label')).fill(awb)
  await named('button', t('handovers:number.check')).click()
}

const receiveHeading = ({ named, t }: Steps) => named('heading', t('handovers:check.receive.title'))

test('the camera reads a printed label: the bag is received, undone, and received again', async () => {
  const bag = await paidBag(agents.camera)
  const { visit: opened, steps } = await openAsAgent('ar', agents.camera)
  const { page, named, t } = steps
  await writeLabelFilm(film, bag.label)
  // A link of the list, to a document of its own: the camera is allowed there and nowhere else.
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname === paths.agentScan)
  await page.locator(`a[href="${paths.agentScan}"]`).first().click()
  expect((await answer).headers()['permissions-policy']).toContain('camera=(self)')

  await receiveHeading(steps).waitFor()
  await page.getByText(bagOwner).waitFor()
  await page.getByText(bag.awb, { exact: true }).waitFor()
  await named('button', t('handovers:confirm')).click()
  // In the list of confirmations, and in the bar at the bottom edge.
  const undos = page.getByRole('button', { name: new RegExp(`^تراجع · بقي .*: ${bagOwner}`) })
  const undo = undos.first()
  await undo.waitFor()
  await page.setViewportSize({ width: 360, height: 640 })
  await expect
    .poll(async () => {
      const box = await undos.last().boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 640
    })
    .toBe(true)
  expect(await stateOf(bag)).toBe('HANDED_OVER')
  // The same press took the picture of what the camera shows, small enough, and the bar shows the copy of this phone.
  await eventually(() => photoOf(bag))
  const picture = await bag.owner.send('GET', `/api/orders/${bag.orderId}/bookings/${bag.awb}/photo`)
  expect([picture.status, ...picture.bytes.subarray(0, 2)]).toEqual([200, 0xff, 0xd8])
  expect(picture.bytes.length).toBeLessThanOrEqual(handoverPhotoMaxBytes)
  await expect.poll(() => page.locator('img[src^="data:image/jpeg"]').count()).toBe(1)
  // The bar covers no field that has the focus.
  const field = named('textbox', t('handovers:number.label'))
  await field.focus()
  await expect
    .poll(async () => {
      const [typed, bar] = [
        await field.boundingBox(),
        await page.locator('[data-screen]').last().boundingBox(),
      ]
      return typed !== null && bar !== null && typed.y + typed.height <= bar.y
    })
    .toBe(true)
  // The next bag can be scanned at once, and this one, still in view, is not read again.
  expect(await named('region', t('handovers:camera.title')).isVisible()).toBe(true)

  await undo.click()
  await page.getByText(t('handovers:kept.empty'), { exact: true }).waitFor()
  expect([await stateOf(bag), await photoOf(bag)]).toEqual(['READY', undefined])
  expect(await page.locator('img[src^="data:image/jpeg"]').count()).toBe(0)
  await enterNumber(steps, bag.awb)
  await named('button', t('handovers:confirm')).click()
  await undo.waitFor()
  await enterNumber(steps, bag.awb)
  await named('heading', t('handovers:check.received.title')).waitFor()
  expect(await stateOf(bag)).toBe('HANDED_OVER')
  expect(await violationsCounted(site.stack)).toBe(0)

  // The router does not leave the document: the list is loaded without the right to the camera.
  await named('link', t('handovers:list')).click()
  await steps.heading(t('agent-orders:title'))
  opened.expectConsole(/permissions policy/i)
  expect(
    await page.evaluate(() =>
      navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => 'allowed',
        ({ name }: Error) => name,
      ),
    ),
  ).toBe('NotAllowedError')
})

test('in text twice as large, on a small phone, the count of today and Confirm are on the screen', async () => {
  const { awb } = await paidBag(agents.largeText)
  const { steps } = await openAsAgent('ar', agents.largeText)
  const { page, named, t } = steps
  writeEmptyFilm(film)
  await page.setViewportSize({ width: 360, height: 640 })
  await doubleText(page)
  await page.goto(paths.agentScan)
  await page.getByText(t('handovers:camera.aim'), { exact: true }).waitFor()
  const endOf = (element: Locator) =>
    expect.poll(async () => {
      const box = await element.boundingBox()
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height
    })
  const today = page.getByText(t('handovers:tally.today'), { exact: true })
  await endOf(today).toBeLessThanOrEqual(640)
  await enterNumber(steps, awb)
  const confirm = named('button', t('handovers:confirm'))
  await endOf(confirm).toBeLessThanOrEqual(640)
  await confirm.click()
  const undo = page.getByRole('button', { name: /^تراجع · بقي / })
  await undo.last().waitFor()
  await expect.poll(() => today.count()).toBe(1)
  const bar = await page.locator('[data-screen]').filter({ has: undo }).last().boundingBox()
  await endOf(today).toBeLessThanOrEqual(bar?.y ?? 0)
})

inFull('three bags confirmed off line are each sent once, with two tabs open', async () => {
  const bags = [await paidBag(agents.offline), await paidBag(agents.offline), await paidBag(agents.offline)]
  const { visit: opened, steps } = await openAsAgent('en', agents.offline)
  const { page, t } = steps
  const context = page.context()
  await scannerIsStored(page)
  // The reader of the build is stored when it is first loaded.
  await writeLabelFilm(film, (bags[0] as PaidBag).label)
  await page.goto(paths.agentScan)
  await receiveHeading(steps).waitFor()

  opened.expectConsole(/net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)/)
  await context.setOffline(true)
  await site.stack.stopAnswering()
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/handovers')) sent.push(request.url())
  })
  const offlinePage = await opened.openPage()
  await page.close()
  const offline = stepsOf({ ...opened, page: offlinePage }, site.stack)
  await offlinePage.goto(paths.agentScan)
  // The camera and the WebAssembly of the reader work under the stored document's own policy.
  const keep = offline.named('button', t('handovers:keep'))
  await receiveHeading(offline).waitFor()
  await offlinePage.getByText(bagOwner, { exact: true }).waitFor()
  await keep.click()
  for (const [index, { awb }] of bags.slice(1).entries()) {
    await enterNumber(offline, awb)
    await receiveHeading(offline).waitFor()
    await keep.click()
    await offlinePage
      .getByText(t('handovers:kept.waiting_other', { count: index + 2 }), { exact: true })
      .waitFor()
  }
  const other = await opened.openPage()
  // The list opens, too, with names, and with what the device keeps to be sent.
  await other.goto(paths.agentOrders)
  await other
    .getByRole('button', { name: new RegExp(`^${bagOwner} OD-`) })
    .first()
    .waitFor()
  expect(await other.getByRole('button', { name: new RegExp(`^${bagOwner} OD-`) }).count()).toBe(bags.length)
  await other.goto(paths.agentScan)
  await other.getByText(t('handovers:kept.waiting_other', { count: 3 }), { exact: true }).waitFor()
  sent.length = 0

  await site.stack.answerAgain()
  await context.setOffline(false)
  for (const tab of [offlinePage, other])
    await eventually(async () =>
      // In the list: the bar shows another one only where the camera has read no bag.
      (await tab
        .getByRole('region', { name: t('handovers:kept.title') })
        .getByRole('button', { name: /^Undo · .+ left: / })
        .count()) === bags.length
        ? true
        : undefined,
    )
  expect(await Promise.all(bags.map(handovers))).toEqual([1, 1, 1])
  expect(sent).toHaveLength(bags.length)
  expect(await violationsCounted(site.stack)).toBe(0)
})
