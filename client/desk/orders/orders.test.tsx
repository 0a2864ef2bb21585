// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addTexts } from '#client/platform/i18n.ts'
import { problem, renderPage, type StubbedRoute, stubGateway } from '#test/kit/render-page.tsx'
import '../texts.ts'
import { Controls } from '../controls.tsx'
import { Desk } from '../desk.tsx'

// Missing in jsdom; antd asks for the width of the window.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList

beforeAll(async () => {
  for (const language of ['ar', 'en'] as const) await addTexts(language, 'desk')
})
beforeEach(() => window.sessionStorage.clear())

const later = new Date(Date.now() + 30 * 60_000).toISOString()
const signedIn = (...roles: string[]) => ({
  body: { success: true, staff: { name: 'سارة', roles, idleUntil: later, endsAt: later } },
})

const row = (orderId: number) => ({
  ...{ orderId, status: 'PAID', type: 'FROM_MINA', amountHalalas: 5000, currency: 'SAR' },
  ...{ createdAt: '2027-05-14T17:06:00.000Z', paidAt: '2027-05-14T17:11:00.000Z' },
  ...{ agentCode: 'A1', agentName: 'وكيل منى 1 · Mina Agent 1', centerCode: 'RUH1', city: 'Riyadh' },
  owner: { userId: 7, name: 'فاطمة أ…', phone: '+966 ••••• 4678' },
  bags: [{ awb: '222735133983', state: 'IN_TRANSIT', lastEventAt: '2027-05-17T07:22:00.000Z' }],
})

const line = (kind: string, at: string, text: string, data = {}) => ({
  ...{ kind, at, text, data },
  by: { kind: kind === 'revealed' ? 'staff' : 'provider', ...(kind === 'revealed' && { name: 'هدى' }) },
})
const order = (orderId: number) => ({
  ...{ orderId, status: 'PAID', type: 'FROM_MINA', amountHalalas: 5000, currency: 'SAR' },
  ...{ agentCode: 'A1', centerCode: 'RUH1', transactionId: '192036465' },
  ...{ createdAt: '2027-05-14T17:06:00.000Z', paidAt: '2027-05-14T17:11:00.000Z' },
  ...{ cancelledAt: null, expiredAt: null, messages: [], otherOrders: [] },
  bookings: [
    {
      ...{ awb: '222735133983', state: 'IN_TRANSIT', lastEventAt: '2027-05-17T07:22:00.000Z', events: [] },
      ...{ reference: 'S-1', labelState: 'issued', label: null, stoppedAt: null, tries: 1, lastError: null },
      origin: { name: 'Mina Agent 1', city: 'Mina', coordinates: null },
      destination: { name: 'Yasmin', city: 'Riyadh', coordinates: null },
    },
  ],
  user: { userId: 7, name: 'فاطمة أ…', phone: '+966 ••••• 4678', language: 'ar', messages: true },
  payments: [],
  receipts: [],
  timeline: [
    line('revealed', '2027-05-19T11:10:00.000Z', 'Looked at name and phone'),
    line('silent', '2027-05-18T07:22:00.000Z', 'No news for 24 hours'),
    line('payment-succeeded', '2027-05-14T17:11:00.000Z', 'Paid SAR 50.00'),
    line('callback', '2027-05-14T17:10:50.000Z', 'Callback about 1: succeeded'),
    line('callback', '2027-05-14T17:10:40.000Z', 'Callback about 1: pending'),
  ],
})

function open(
  at: string,
  answers: Readonly<Record<string, StubbedRoute>>,
  { language = 'en' as 'ar' | 'en', roles = ['support'] } = {},
) {
  // biome-ignore lint/suspicious/noDocumentCookie: as the gateway sets it
  document.cookie = `desk-here_${window.location.port || '80'}=1; path=/; max-age=60`
  const calls = stubGateway({ 'GET /api/desk/me': signedIn(...roles), ...answers })
  const page = renderPage(
    <Controls>
      <Desk outcome={undefined} />
    </Controls>,
    { at, language },
  )
  return { calls, person: userEvent.setup(), where: page.where, goBack: page.goBack }
}

const readOrder = (id: number) => ({
  [`GET /api/desk/orders/${id}`]: { body: { success: true, order: order(id) } },
})
const found = (orders: number[], exact: number | null = null) => ({
  body: {
    ...{ success: true, exact, orders: orders.map(row), people: [] },
    more: { orders: false, people: false },
  },
})
const search = 'POST /api/desk/search'

describe('search', () => {
  it('opens with a key, by its place; what is typed is sent in the body and is in no address', async () => {
    const { person, calls, where } = open('/', { [search]: found([]) })
    await screen.findByRole('heading', { name: 'My session' })
    act(
      () =>
        void document.body.dispatchEvent(
          new KeyboardEvent('keydown', { code: 'Slash', key: 'ظ', bubbles: true }),
        ),
    )
    const field = await screen.findByRole('textbox', { name: 'Search for an order or a person' })
    await waitFor(() => expect(document.activeElement).toBe(field))
    await person.keyboard('5604{Enter}')
    await screen.findByText('Nothing for “5604”. Try the whole phone or the airway bill.')
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ q: '5604' })
    expect(where()).toBe('/search')
  })

  it('keeps what was typed until it was answered', async () => {
    const { person } = open('/search', { [search]: problem(429, 'TOO_MANY_CALLS', 'Too many.') })
    await person.type(
      await screen.findByRole('textbox', { name: 'Search for an order or a person' }),
      'fat{Enter}',
    )
    expect((await screen.findByRole('alert')).textContent).toContain('Too many.')
    expect(window.sessionStorage.getItem('deskDrafts')).toContain('fat')
  })

  it('goes straight to the one order that a number means, and back shows the search again', async () => {
    const { person, where, goBack } = open('/search', { [search]: found([5604], 5604), ...readOrder(5604) })
    await person.type(
      await screen.findByRole('textbox', { name: 'Search for an order or a person' }),
      'OD-5604{Enter}',
    )
    await screen.findByRole('heading', { name: 'OD-5604' })
    expect(where()).toBe('/orders/5604')
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
    act(goBack)
    await screen.findByRole('table', { name: 'Orders (1)' })
    expect(where()).toBe('/search')
  })

  it('shows people and orders masked, and J and Enter open a row', async () => {
    const { person, where } = open('/search', { [search]: found([5604, 5605]), ...readOrder(5605) })
    await person.type(
      await screen.findByRole('textbox', { name: 'Search for an order or a person' }),
      '4678{Enter}',
    )
    expect(within(await screen.findByRole('table')).getAllByText('+966 ••••• 4678')).toHaveLength(2)
    act(() => (document.activeElement as HTMLElement).blur())
    await person.keyboard('jj{Enter}')
    await screen.findByRole('heading', { name: 'OD-5605' })
    expect(where()).toBe('/orders/5605')
  })
})

describe('the list of orders', () => {
  const list = 'GET /api/desk/orders'
  const answer = { body: { success: true, orders: [row(5604)], nextCursor: '9-9' } }

  it('has its filters in the address, and a file for those who may', async () => {
    const { calls, person, where } = open(
      '/orders?city=Riyadh&cursor=1-1',
      { [list]: answer },
      { roles: ['money'] },
    )
    await screen.findByRole('link', { name: 'OD-5604' })
    expect(calls.find(({ path }) => path === '/api/desk/orders')?.query).toEqual({
      city: 'Riyadh',
      cursor: '1-1',
    })
    expect(screen.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toBe(
      '/api/desk/orders?city=Riyadh&format=csv',
    )
    await person.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'PAID')
    expect(where()).toBe('/orders?city=Riyadh&status=PAID')
    await screen.findByRole('link', { name: 'Older orders' })
  })

  it('has no file for support, and says when it could not be loaded', async () => {
    const { person } = open('/orders', { [list]: () => undefined }, { language: 'ar' })
    expect((await screen.findByRole('alert')).textContent).toContain('تعذّر عرض القائمة.')
    expect(screen.queryByRole('link', { name: 'ملف CSV' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'إعادة المحاولة' }))
    await screen.findByRole('alert')
  })
})

describe('an order', () => {
  it('says what is true, folds what machines said, and filters by part', async () => {
    vi.setSystemTime(new Date('2027-05-19T11:22:00.000Z'))
    const { person } = open('/orders/5604', readOrder(5604))
    await screen.findByText('Silent for 52 h')
    expect(screen.queryByText('Callback about 1: pending')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'show' }))
    expect(screen.getByText('Callback about 1: pending')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Today, Wednesday 19 May' })).toBeTruthy()
    await person.click(screen.getByText('Money 3'))
    expect(screen.queryByText('No news for 24 hours')).toBeNull()
    expect(screen.getByText('Paid SAR 50.00')).toBeTruthy()
    vi.useRealTimers()
  })

  it('shows its owner for a reason, and no longer than a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const path = 'POST /api/desk/orders/5604/reveal'
    const people = { name: 'فاطمة أحمد', phone: '+966512344678', receiver: null, secondPhone: null }
    const { person, calls } = open('/orders/5604', {
      ...readOrder(5604),
      [path]: { body: { success: true, ...people } },
    })
    await person.click(await screen.findByRole('button', { name: /Show$/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('button', { name: 'Show' }).hasAttribute('disabled')).toBe(true)
    await person.click(dialog.getByRole('radio', { name: 'Other' }))
    await person.type(dialog.getByRole('textbox'), 'a long story')
    await person.click(dialog.getByRole('button', { name: 'Show' }))
    await screen.findByText('+966512344678')
    expect(calls.at(-1)?.body).toEqual({ reason: 'other', text: 'a long story' })
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    await waitFor(() => expect(screen.queryByText('+966512344678')).toBeNull())
    vi.useRealTimers()
  })

  it('that does not exist says so, and leads to the search', async () => {
    open('/orders/1', { 'GET /api/desk/orders/1': problem(404, 'ORDER_NOT_FOUND', 'No such order.') })
    await screen.findByRole('heading', { name: 'No order has this number' })
    expect(screen.getByRole('link', { name: 'To the search' }).getAttribute('href')).toBe('/search')
  })
})
