// @vitest-environment jsdom

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bookingVersion } from '#client/features/booking/booking.rules.ts'
import { openDocument } from '#client/platform/document.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { agentOf, bookingOf, centerOf, configOf, orderOf, partnerOf } from '#test/builders/answer.builder.ts'
import { noSession, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AppRoutes } from './router.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
}))

type Table = Parameters<typeof stubGateway>[0]

const centers = [
  centerOf(),
  centerOf({ code: 'JED1', addressAR: 'الحمراء', addressEN: 'Al Hamra', city: 'Jeddah' }),
]
const agents = ['A1', 'A2'].map((id) => agentOf({ id, name: `Agent ${id}` }))
const listed = (agentsNow = agents): Table => partnerOf(centers, agentsNow)
const user: Table = {
  ...noSession,
  'GET /api/auth/user': {
    body: { success: true, userId: 7, name: 'Amina Yusuf', phone: '+966501234567' },
  },
  'GET /api/orders/user/7': { body: { success: true, orders: [], nextCursor: null } },
  'GET /api/config': { body: configOf() },
  ...listed(),
}
const receiver = { name: 'Sara Ali', phone: '+966500000009' }
const order = (changes: Partial<Order> = {}) => ({
  body: {
    success: true,
    order: orderOf({
      agentCode: 'A1',
      centerCode: 'RUH1',
      bookings: [bookingOf({ receiver: 'Amina Yusuf' })],
      ...changes,
    }),
  },
})
const started = { success: true, orderId: 43, clientSecret: 'cs_1', publicKey: 'pk_1' }
const ofReview = (key: string, values?: Record<string, unknown>) => textOf('checkout', key, values)
const ofBooking = (key: string) => textOf('booking', key)
const stored = () => JSON.parse(sessionStorage.getItem('booking') ?? '{}')

function open(table: Table, at = '/checkout?again=42') {
  const calls = stubGateway({ ...user, 'POST /api/checkout': { body: started }, ...table })
  return { calls, ...renderPage(<AppRoutes />, { at }) }
}

const review = () => screen.findByRole('button', { name: /^Pay/ })
const booking = () => screen.findByRole('button', { name: new RegExp(`^${ofBooking('continue')}`) })

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  vi.mocked(openDocument).mockReset()
})

describe('an address that names an order', () => {
  it('shows the review of its way, and pays a new order with one press', async () => {
    const { calls, where } = open({ 'GET /api/orders/42': order() })
    await userEvent.click(await review())
    await waitFor(() => expect(openDocument).toHaveBeenCalled())
    expect(where()).toBe('/checkout')
    const [sent] = calls.filter(({ method }) => method === 'POST')
    expect(sent?.body).toMatchObject({ type: 'FROM_MINA', agentCode: 'A1', centerCode: 'RUH1', amount: 50 })
    expect(sent?.body).not.toHaveProperty('receiver')
    expect(stored()).toMatchObject({ again: { orderId: 42 }, order: { orderId: 43 } })
  })

  it('does not ask about a short name that is printed on the airway bill already', async () => {
    const named = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
    const bookings = [bookingOf({ receiver: 'Amina' })]
    open({ 'GET /api/auth/user': named, 'GET /api/orders/42': order({ bookings }) })
    await userEvent.click(await review())
    await waitFor(() => expect(openDocument).toHaveBeenCalled())
  })

  it('takes over the receiver only when it is ticked', async () => {
    const { calls } = open({ 'GET /api/orders/42': order({ receiver }) })
    await review()
    const tick = screen.getByRole('checkbox', { name: ofReview('receiver.same', { name: receiver.name }) })
    expect(tick).toHaveProperty('checked', false)
    await userEvent.click(tick)
    expect(tick).toHaveProperty('checked', true)
    // The name stands once: above the box that took it over.
    expect(screen.getByText(ofReview('receiver.asBefore')).closest('label')?.contains(tick)).toBe(true)
    await userEvent.click(tick)
    expect(stored().named).toEqual({})
    await userEvent.click(tick)
    await userEvent.click(await review())
    await waitFor(() => expect(openDocument).toHaveBeenCalled())
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ receiver })
  })

  it('says that a booking that was begun waits, and goes back to it', async () => {
    const draft = { type: 'FROM_MINA', fromCity: null, toCity: 'Jeddah', centerCode: null, agentCode: 'A2' }
    sessionStorage.setItem(
      'booking',
      JSON.stringify({ version: bookingVersion, step: 0, draft, history: [] }),
    )
    const { where } = open({ 'GET /api/orders/42': order() })
    await review()
    expect(screen.getByText(ofReview('aside'))).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: ofReview('asideResume') }))
    await booking()
    expect([where(), stored().draft]).toEqual(['/booking', draft])
  })

  it.each<[string, Table, string, object, string?]>([
    ['is unknown or foreign', { 'GET /api/orders/42': problem(404, 'ORDER_NOT_FOUND', 'No') }, 'unknown', {}],
    ['is named by no number', {}, 'unknown', {}, '/checkout?again=x'],
    [
      'has an agent that is gone',
      { 'GET /api/orders/42': order(), ...listed(agents.slice(1)) },
      'agentGone',
      { toCity: 'Riyadh', centerCode: 'RUH1', agentCode: null },
    ],
    [
      'has a branch that is stopped',
      {
        'GET /api/orders/42': order(),
        'GET /api/config': {
          body: configOf({ stops: [{ what: 'branch', code: 'RUH1', text: { ar: 'متوقف', en: 'Stopped' } }] }),
        },
      },
      'branchStopped',
      { toCity: 'Riyadh', centerCode: null, agentCode: 'A1' },
    ],
    ['has a route that is not offered', { 'GET /api/orders/42': order({ type: 'TO_MINA' }) }, 'type', {}],
  ])(
    'leads to booking with what is left, and says why, when the order %s',
    async (_, table, why, draft, at) => {
      const { where } = open(table, at)
      await booking()
      expect(screen.getByText(ofBooking(`again.${why}`))).toBeTruthy()
      expect(where()).toBe('/booking')
      if (why !== 'unknown') expect(stored().draft).toMatchObject(draft)
    },
  )

  it('leads to sign-in first, and from there to the same address', async () => {
    const { where } = open(noSession)
    await screen.findByRole('heading', { level: 1, name: textOf('sessions', 'login.title') })
    const at = where()
    expect(at).toBe('/auth?next=%2Fcheckout%3Fagain%3D42')
    open({ 'GET /api/orders/42': order() }, at)
    await review()
  })

  it('says that nothing answers, and shows the review when something does', async () => {
    let isUp = false
    open({ 'GET /api/orders/42': () => (isUp ? order() : undefined) })
    expect(await screen.findByText(ofReview('againFailed'))).toBeTruthy()
    expect(screen.getByRole('link', { name: ofReview('againByHand') }).getAttribute('href')).toBe('/booking')
    isUp = true
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    await review()
  })
})
