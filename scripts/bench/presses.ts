import type { Locator, Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import {
  agentCodeOf,
  issuedAwb,
  newPhone,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { appHasStarted, type Visits } from '#test/kit/browser/chromium.ts'
import { continueName, stepsOf } from '#test/kit/browser/steps.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

/** The ten most frequent presses on a phone four times slower than this machine. */

const timesSlower = 4
const agentPhone = '+966500000108'

interface Press {
  readonly at: Opened
  readonly control: Locator
  readonly effect: Locator
}

type Opened = Awaited<ReturnType<typeof opened>>

/** From the press until the frame that shows its effect, in a new browser context. */
const press = (what: string, prepare: (visits: Visits, stack: Stack) => Promise<Press>) => ({
  what: `press: ${what}`,
  unit: 'ms',
  promised: 200,
  async measure(visits: Visits, stack: Stack): Promise<number> {
    const prepared = await prepare(visits, stack)
    const ms = await measured(prepared)
    await prepared.at.close()
    return ms
  },
})

export const presses = [
  press('choose the language', async (visits, stack) => {
    const at = await opened(visits, stack, paths.terms)
    const control = at.page.getByRole('banner').getByRole('button', { name: 'English', exact: true })
    return { at, control, effect: at.page.locator('html[lang=en]') }
  }),
  press('sign up instead of in', async (visits, stack) => {
    const at = await opened(visits, stack, paths.auth)
    return { at, control: signUpOf(at), effect: at.named('textbox', at.t('sessions:name')) }
  }),
  press('ask for a code', async (visits, stack) => {
    const at = await opened(visits, stack, paths.auth)
    await signUpOf(at).tap()
    await at.named('textbox', at.t('sessions:name')).fill('Maryam Al-Harbi')
    await at.named('textbox', at.t('sessions:phone')).fill(newPhone())
    const effect = at.named('dialog', at.t('sessions:code.title'))
    return { at, control: at.named('button', at.t('sessions:send')), effect }
  }),
  press('open a question', async (visits, stack) => {
    const at = await booking(visits, stack)
    const { control, effect } = questionOf(at, 'agentCode')
    return { at, control, effect }
  }),
  press('choose an agent', async (visits, stack) => {
    const at = await booking(visits, stack)
    const agent = questionOf(at, 'agentCode')
    await agent.control.tap()
    return { at, control: agent.answer, effect: questionOf(at, 'toCity').effect }
  }),
  press('choose a city', cityAsked),
  press('go on to the review', async (visits, stack) => {
    const { at, control } = await cityAsked(visits, stack)
    await control.tap()
    const sheet = questionOf(at, 'centerCode').effect
    await sheet.locator('summary').first().tap()
    await sheet.locator('details[open] [data-row]').first().tap()
    const effect = at.named('heading', at.t('checkout:title'))
    return { at, control: at.page.getByRole('button', { name: continueName(at.t) }), effect }
  }),
  press('open an order', async (visits, stack) => {
    const { person } = await waitingBag(stack)
    const at = await opened(visits, stack, paths.orders, person)
    const effect = at.page.getByRole('main').getByRole('img')
    return { at, control: at.named('link', at.t('orders:show')), effect }
  }),
  press('open a bag', counter),
  press('receive a bag', async (visits, stack) => {
    const { at, control, effect } = await counter(visits, stack)
    await control.tap()
    const undo = new RegExp(`^${at.t('handovers:kept.undo')}`)
    return { at, control: effect, effect: at.page.getByRole('button', { name: undo }) }
  }),
]

interface Reported {
  slowest: number
  hasClicked: boolean
}

async function opened(visits: Visits, stack: Stack, path: string, person?: Person) {
  const visit = await visits.open({ url: stack.gatewayUrl, language: 'ar' })
  const { page } = visit
  if (person !== undefined) await signInAs(person, page, stack)
  await page.addInitScript(() => {
    const reported: Reported = { slowest: 0, hasClicked: false }
    Object.assign(window, { reported })
    new PerformanceObserver((list) => {
      for (const { name, duration, interactionId } of list.getEntries() as PerformanceEventTiming[]) {
        if (interactionId === 0) continue
        reported.slowest = Math.max(reported.slowest, duration)
        reported.hasClicked ||= name === 'click'
      }
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: timesSlower })
  await page.goto(path)
  await appHasStarted(page)
  return { ...visit, ...stepsOf(visit, stack) }
}

/**
 * Presses with a finger and waits for the effect. Nothing else runs in the page between the press and its frame: neither the
 * checks of `tap()` nor a search for the effect.
 * @returns milliseconds, as the browser reports them
 */
async function measured({ at: { page }, control, effect }: Press): Promise<number> {
  await control.tap({ trial: true })
  const box = await control.boundingBox()
  if (box === null) throw new Error('the control is not shown')
  await page.evaluate(() => {
    Object.assign((window as unknown as { reported: Reported }).reported, { slowest: 0, hasClicked: false })
  })
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  const slowest = await page.waitForFunction(() => {
    const { slowest, hasClicked } = (window as unknown as { reported: Reported }).reported
    return hasClicked && slowest
  })
  const ms = Number(await slowest.jsonValue())
  await effect.first().waitFor()
  return ms
}

const signUpOf = ({ page }: { page: Page }) => page.locator('main form label:has([type=radio])').nth(1)

async function booking(visits: Visits, stack: Stack) {
  const { person } = await signedUpPilgrim(stack)
  return opened(visits, stack, paths.booking, person)
}

function questionOf({ named, question, t }: Opened, key: 'agentCode' | 'toCity' | 'centerCode') {
  const label = t(`booking:labels.FROM_MINA.${key}`)
  const effect = named('dialog', label)
  return { control: question(label), effect, answer: effect.locator('[data-row]').nth(1) }
}

async function cityAsked(visits: Visits, stack: Stack): Promise<Press> {
  const at = await booking(visits, stack)
  const agent = questionOf(at, 'agentCode')
  await agent.control.tap()
  await agent.answer.tap()
  return { at, control: questionOf(at, 'toCity').answer, effect: questionOf(at, 'centerCode').effect }
}

/** The browser gets the session of `person`. */
export const signInAs = (person: Person, page: Page, stack: Stack): Promise<void> =>
  page
    .context()
    .addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: stack.gatewayUrl })))

/** A paid order whose airway bill is issued. */
export async function waitingBag(stack: Stack) {
  const owner = await signedUpPilgrim(stack)
  const agentCode = await agentCodeOf(owner.person, agentPhone)
  const orderId = await paidOrder(stack, owner, { agentCode })
  await issuedAwb(owner.person, orderId)
  return { person: owner.person, orderId }
}

async function counter(visits: Visits, stack: Stack): Promise<Press> {
  const { orderId } = await waitingBag(stack)
  const agent = newPerson(stack)
  await agent.signInAgent(agentPhone)
  const at = await opened(visits, stack, paths.agentOrders, agent)
  const control = at.page.getByRole('button', { name: new RegExp(`OD-${orderId}$`) })
  return { at, control, effect: at.named('button', at.t('handovers:confirm')) }
}
