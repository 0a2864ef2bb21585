// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { ownKeptOrders, wipeKeptOrders } from '#client/entities/order/kept-orders.ts'
import {
  formatDayInBoth,
  formatSpanInBoth,
  formatWeekdayAndDayInBoth,
  formatWeekdays,
} from '#client/platform/dates.ts'
import { formatWholeRiyals } from '#client/platform/format.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { BookingEvent, TravelState } from '#shared/orders/travel.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { reading } from '#test/kit/client/plain-text.ts'
import { renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { OrderPage } from './order.page.tsx'
import { ThankYouPage } from './thank-you.page.tsx'

const days = (key: string, values?: Record<string, unknown>) => textOf('bag-days', key, values)
const late = (key: string, values?: Record<string, unknown>) => textOf('late', key, values)
const ofPass = (key: string) => textOf('pass', key)

const at = '2027-05-18T12:00:00.000Z'
const handover: BookingEvent = { kind: 'handed-over', source: 'agent', at, place: 'Agent A1' }
const scan = (kind: BookingEvent['kind'], day: number): BookingEvent => ({
  kind,
  source: 'courier',
  at: `2027-05-${day}T12:00:00.000Z`,
  place: 'Taif',
})
const promises = {
  transitDays: { RUH: [2, 4] },
  handInUntil: '2027-05-20',
  storageDays: 7,
  lateAfterDays: 8,
  lostSar: 75,
} satisfies NonNullable<Order['promises']>

/** An order with these promised days. `null`: an order of an earlier build, without promises. */
function orderIn(state: TravelState, events: BookingEvent[], made: Order['promises'] | null = promises) {
  return orderOf({
    ...(made && { promises: made }),
    bookings: [bookingOf({ state, events, lastEventAt: events.at(-1)?.at ?? null })],
  })
}
const ready = orderIn('READY', [])
const handedOver = orderIn('HANDED_OVER', [handover])
const travelling = orderIn('IN_TRANSIT', [handover, scan('in-transit', 19)])
const heldUp = orderIn('EXCEPTION', [handover, scan('exception', 19)])
const arrived = orderIn('AT_BRANCH', [handover, scan('in-transit', 19), scan('at-branch', 21)])
const lateStates = [handedOver, travelling, heldUp]
const withoutPromises = (order: Order): Order => {
  const { promises: _, ...rest } = order
  return rest
}

/** The clock of the phone: noon in Riyadh on a day of May. */
const setDay = (day: number) => vi.setSystemTime(`2027-05-${day}T09:00:00Z`)

interface Shown {
  readonly language?: LanguageCode
  readonly getsMessages?: boolean
}

function show(order: Order, { language = 'en', getsMessages = false }: Shown = {}) {
  stubGateway({
    'GET /api/orders/42': { body: { success: true, order } },
    'GET /api/config': { body: configOf() },
    'GET /api/auth/user': {
      body: { success: true, userId: 1, name: 'Maryam', phone: null, messages: getsMessages },
    },
  })
  renderPage(<OrderPage orderId="42" onPaid={() => {}} onBookAgain={() => {}} />, { language })
  return shownHeading()
}

/** The heading of the order, once the order is loaded. */
async function shownHeading() {
  await screen.findByRole('link', { name: textOf('payment', 'toOrders') })
  return screen.getByRole('heading', { level: 1 })
}
const primary = () =>
  [...document.querySelectorAll('[data-look="primary"]')].map(({ textContent }) => textContent)

beforeEach(() => {
  wipeKeptOrders()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  setDay(19)
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a bag that its owner has', () => {
  const language = 'ar'
  it('is to be handed in until the promised day, and says how long it usually takes', async () => {
    await show(ready, { language })
    expect(
      screen.getByText(reading(days('handIn', { days: formatDayInBoth('2027-05-20', language) }))),
    ).toBeTruthy()
    const usually = screen.getByText(days('usually')).closest('div')
    expect(usually?.textContent).toContain('يومين إلى 4 أيام')
    expect(await screen.findByText(textOf('purchase', 'examples'))).toBeTruthy()
  })

  it('names no day that is past', async () => {
    setDay(21)
    await show(ready, { language })
    expect(
      screen.queryByText(reading(days('handIn', { days: formatDayInBoth('2027-05-20', language) }))),
    ).toBeNull()
    expect(screen.getByText(days('usually'))).toBeTruthy()
  })
})

it('the result of a payment says it, too', async () => {
  stubGateway({ 'GET /api/orders/42': { body: { success: true, order: ready } } })
  renderPage(<ThankYouPage onPaid={() => {}} onClose={() => {}} onBookAgain={() => {}} />, {
    at: '/thank-you?success=true&merchant_order_id=42',
  })
  expect(await screen.findByText(days('usually'))).toBeTruthy()
})

describe('a bag on its way', () => {
  const language = 'en'
  const title = formatWeekdays('2027-05-20', '2027-05-22', language)
  const both = () => reading(formatSpanInBoth('2027-05-20', '2027-05-22', language))

  it('arrives on days that the last step names, and the family comes first', async () => {
    await show(travelling, { language })
    const timeline = within(screen.getByRole('list', { name: textOf('journey', 'title') }))
    expect(timeline.getByRole('heading', { name: title })).toBeTruthy()
    expect(timeline.getByText(both())).toBeTruthy()
    expect(timeline.getByText(days('usual'))).toBeTruthy()
    expect(primary()).toEqual([textOf('share', 'open')])
    expect(screen.getByText(ofPass('help'), { exact: false })).toBeTruthy()
  })

  it('says so beside the receipt, where no scan was made yet', async () => {
    await show(handedOver, { language })
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText(both())).toBeTruthy()
    expect(primary()).toEqual([ofPass('follow')])
  })
})

it('a message is promised only to those who get messages', async () => {
  await show(travelling, { getsMessages: true })
  expect(await screen.findByText(`${days('usual')} ${days('told')}`)).toBeTruthy()
})

it('a time that has passed is not called usual', async () => {
  setDay(23)
  await show(travelling)
  expect(screen.getByText(days('passed'))).toBeTruthy()
  expect(screen.queryByText(days('usual'))).toBeNull()
})

it('no days are named for a bag that is held up', async () => {
  await show(heldUp)
  expect(screen.queryByText(days('usual'))).toBeNull()
  expect(screen.getByText(textOf('journey', 'delayed'))).toBeTruthy()
})

describe('a late bag', () => {
  const language = 'ar'
  it.each(lateStates)(
    'is called late from the day on, and what can be done ($bookings.0.state)',
    async (order) => {
      setDay(27)
      const heading = await show(order, { language })
      expect(heading.textContent).toBe(late('title'))
      expect(
        screen.getByText(reading(late('line', { day: formatWeekdayAndDayInBoth('2027-05-22', language) }))),
      ).toBeTruthy()
      expect(screen.getByText(late('asking'))).toBeTruthy()
      const terms = screen.getByRole('link', { name: late('terms') })
      expect(terms.parentElement?.textContent).toBe(late('paid', { amount: formatWholeRiyals(75, language) }))
      expect(terms.getAttribute('href')).toBe('/terms')
      expect(primary()).toEqual([late('report')])
      const report = screen.getByRole('link', { name: late('report') })
      expect(report.getAttribute('href')).toBe('/order-claims/42?kind=late&bag=0')
      // The page shows one problem at a time.
      expect(screen.queryByText(textOf('journey', 'delayed'))).toBeNull()
      const quiet = textOf('silence-note', 'quiet', { count: 0 }).split('0')[0]
      expect(screen.queryByText(quiet ?? '', { exact: false })).toBeNull()
    },
  )

  it.each(lateStates)('is not called late on the day before ($bookings.0.state)', async (order) => {
    setDay(26)
    const heading = await show(order, { language })
    expect(heading.textContent).not.toBe(late('title'))
    expect(screen.queryByText(late('may'))).toBeNull()
  })
})

it('of two bags the late one is what the page is about', async () => {
  setDay(27)
  const collected = bookingOf({ awb: '290012345670', state: 'COLLECTED', events: [scan('collected', 20)] })
  const heading = await show({
    ...travelling,
    type: 'TO_AND_FROM_MINA',
    bookings: [collected, ...travelling.bookings],
  })
  expect(heading.textContent).toBe(late('title'))
  expect(primary()).toEqual([late('report')])
  const report = screen.getByRole('link', { name: late('report') })
  expect(report.getAttribute('href')).toBe('/order-claims/42?kind=late&bag=1')
})

it('an open page becomes late by itself', async () => {
  vi.setSystemTime('2027-05-26T20:58:00Z')
  const heading = await show(travelling)
  expect(heading.textContent).not.toBe(late('title'))
  await act(async () => vi.advanceTimersByTime(5 * 60_000))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(late('title'))
})

it('nothing is said of a lost bag where no figure was promised with the order', async () => {
  const { lostSar: _, ...unnamed } = promises
  setDay(27)
  await show(orderIn('IN_TRANSIT', [handover], unnamed))
  expect(screen.getByText(late('may'))).toBeTruthy()
  expect(screen.queryByText(late('ifLost'))).toBeNull()
})

it('the last day on which it was not late is named where no days of its arrival were promised', async () => {
  setDay(27)
  await show(orderIn('IN_TRANSIT', [handover], { transitDays: {}, lateAfterDays: 8 }))
  expect(
    screen.getByText(reading(late('line', { day: formatWeekdayAndDayInBoth('2027-05-26', 'en') }))),
  ).toBeTruthy()
})

describe('a bag at its branch', () => {
  const language = 'en'
  const kept = () => reading(days('kept', { day: formatWeekdayAndDayInBoth('2027-05-28', language) }))

  it('is kept until a day, from its arrival on', async () => {
    setDay(28)
    await show(arrived, { language })
    expect(screen.getByText(kept())).toBeTruthy()
  })

  it('names no day that is past', async () => {
    setDay(29)
    await show(arrived, { language })
    expect(screen.queryByText(kept())).toBeNull()
  })
})

describe('an order of an earlier build', () => {
  it.each([ready, ...lateStates, arrived])('promises nothing ($bookings.0.state)', async (order) => {
    setDay(30)
    await show(withoutPromises(order), { getsMessages: true })
    for (const key of ['usually', 'usual', 'passed', 'told'])
      expect(screen.queryByText(days(key), { exact: false })).toBeNull()
    expect(screen.queryByText(late('title'))).toBeNull()
    expect(screen.queryByText(late('may'))).toBeNull()
  })
})

describe('an order that is kept on the phone', () => {
  async function showKept(order: Order, keptOn: number, seenOn: number) {
    setDay(keptOn)
    ownKeptOrders(1)
    await keepingOrders(Promise.resolve(order), (kept) => [kept])
    setDay(seenOn)
    stubGateway({})
    renderPage(<OrderPage orderId="42" onPaid={() => {}} onBookAgain={() => {}} />)
    return shownHeading()
  }

  it('names the days without a network', async () => {
    await showKept(travelling, 19, 20)
    const title = formatWeekdays('2027-05-20', '2027-05-22', 'en')
    expect(screen.getByRole('heading', { name: title })).toBeTruthy()
  })

  it('is not called late for days on which nothing was heard from the server: it may have arrived', async () => {
    const heading = await showKept(travelling, 20, 30)
    expect(heading.textContent).not.toBe(late('title'))
  })

  it('that was late is late, and offers no report without a network', async () => {
    const heading = await showKept(travelling, 27, 28)
    expect(heading.textContent).toBe(late('title'))
    expect(screen.queryByRole('link', { name: late('report') })).toBeNull()
    expect(primary()).toEqual([ofPass('support')])
  })
})
