// @vitest-environment jsdom

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { ownKeptOrders, wipeKeptOrders } from '#client/entities/order/kept-orders.ts'
import { bookingVersion } from '#client/features/booking/booking.rules.ts'
import { openDocument, replaceDocument } from '#client/platform/document.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { agentOf, centerOf, configOf, orderOf, partnerOf } from '#test/builders/answer.builder.ts'
import {
  noSession,
  notSignedIn,
  renderPage,
  stubGateway,
  stubNavigator,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { loadPage } from './pages.ts'
import { AppRoutes } from './router.tsx'
import styles from './shell.module.css'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
  replaceDocument: vi.fn(),
}))

type Table = Parameters<typeof stubGateway>[0]

const config = {
  body: configOf({
    contact: { email: 'desk@operator.example', phone: '+966 1', address: { ar: 'مكة', en: 'Makkah' } },
    appLink: 'https://apps.example/amtiati',
  }),
}
const aUser = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const anAgent = { body: { success: true, agentId: 3, name: 'Counter 1', phone: '+966500000101' } }
const noOrders = { body: { success: true, orders: [], nextCursor: null } }
const noneAssigned = {
  body: { ...noOrders.body, counts: { waiting: 0, received: 0, refused: 0 } },
}

const visitor: Table = noSession
const user: Table = { ...visitor, 'GET /api/auth/user': aUser, 'GET /api/orders/user/7': noOrders }
const agent: Table = { ...visitor, 'GET /api/auth/agent': anAgent, 'GET /api/orders/agent/3': noneAssigned }

const shell = (key: string) => textOf('shell', key)

function open(at: string, who: Table, language: LanguageCode = 'en') {
  const calls = stubGateway({
    'GET /api/config': config,
    'POST /api/auth/logout': { body: { success: true } },
    ...who,
  })
  const view = renderPage(<AppRoutes />, { at, language })
  return { ...view, calls, person: userEvent.setup() }
}

// The chunks of pages are compiled on their first use.
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const bar = () => within(screen.getByRole('banner'))
const footer = () => within(screen.getByRole('contentinfo'))

// As on a first visit, where the app starts with the page loaded.
beforeAll(() => loadPage('/'))

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.mocked(openDocument).mockReset()
  vi.mocked(replaceDocument).mockReset()
})

describe('without a network', () => {
  const paid = orderOf()
  const nothing: Table = { 'GET /api/config': () => undefined }

  beforeEach(async () => {
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve(paid), (order) => [order])
  })

  it('the kept orders open, although it is not known who is signed in', async () => {
    const { where } = open('/orders', nothing)
    await heading(textOf('orders', 'title'))
    await screen.findByRole('article', { name: 'OD-42' })
    expect(where()).toBe('/orders')
  })

  describe('in flight mode', () => {
    beforeEach(() => void stubNavigator({ onLine: false }))

    it.each(['/booking', '/account'])(
      '%s says that it needs a connection, and leads to the kept orders',
      async (at) => {
        const { person, where } = open(at, nothing)
        await heading(shell('needsConnection.title'))
        await person.click(screen.getByRole('link', { name: shell('keptOrders') }))
        await screen.findByRole('article', { name: 'OD-42' })
        expect(where()).toBe('/orders')
      },
    )

    it('the account of an agent leads back to the list', async () => {
      wipeKeptOrders()
      localStorage.setItem('scanAgent', '3')
      open('/account', nothing)
      await heading(shell('needsConnection.title'))
      const link = screen.getByRole('link', { name: shell('keptBags') })
      expect(link.getAttribute('href')).toBe('/agent-orders')
    })

    it('the account of an agent that was open before leads back to the list', async () => {
      localStorage.clear()
      open('/account', { ...agent, 'GET /api/auth/sessions': { body: { success: true, sessions: [] } } })
      await heading(textOf('account', 'title'))
      expect(screen.getByRole('link', { name: shell('keptBags') }).getAttribute('href')).toBe('/agent-orders')
    })
  })

  it('other pages of users lead to the kept orders', async () => {
    const { person, where } = open('/booking', nothing)
    await heading(shell('unknown.title'))
    await person.click(screen.getByRole('link', { name: shell('keptOrders') }))
    await screen.findByRole('article', { name: 'OD-42' })
    expect(where()).toBe('/orders')
  })

  it('a page that does not get the configuration leads to the kept orders', async () => {
    open('/booking', { ...user, ...nothing })
    await heading(shell('failure.title'))
    expect(screen.getByRole('link', { name: shell('keptOrders') }).getAttribute('href')).toBe('/orders')
  })

  it('an answer without a session leads to sign-in, with nothing kept', async () => {
    open('/orders', visitor)
    await heading(textOf('sessions', 'login.title'))
    expect(localStorage.getItem('keptOrders')).toBeNull()
  })
})

describe('while no card is charged', () => {
  const trial: Table = { 'GET /api/config': { body: configOf({ paymentTest: true }) } }

  it('every page says so', async () => {
    for (const [at, who] of [
      ['/', visitor],
      ['/orders', user],
      ['/agent-orders', agent],
    ] as const) {
      const { unmount } = open(at, { ...who, ...trial })
      expect(await screen.findByText(textOf('platform', 'paymentTest'))).toBeTruthy()
      unmount()
    }
  })
})

describe('the guards', () => {
  it.each([
    ['a visitor', visitor, '/orders?x=1', '/auth?next=%2Forders%3Fx%3D1', 'sessions', 'login.title'],
    ['a user', user, '/auth?next=%2Forders', '/orders', 'orders', 'title'],
    ['a user', user, '/auth?next=https%3A%2F%2Fevil.example%2Forders', '/booking', 'booking', 'title'],
    ['a user', user, '/agent-orders', '/agent-auth', 'sessions', 'agent.title'],
    ['an agent', agent, '/booking', '/agent-orders', 'agent-orders', 'title'],
  ])('redirect %s', async (_, who, at, to, namespace, key) => {
    const { where } = open(at, who)
    await heading(textOf(namespace, key))
    expect(where()).toBe(to)
  })

  it('show the sign-in page without waiting for the configuration', async () => {
    open('/auth', { ...visitor, 'GET /api/config': () => new Promise<typeof config>(() => {}) })
    await heading(textOf('sessions', 'login.title'))
  })

  it('set the document title in the language on screen during the start-up checks', async () => {
    document.title = 'served in another language'
    open('/orders', { ...user, 'GET /api/auth/agent': () => new Promise<typeof notSignedIn>(() => {}) })
    await waitFor(() => expect(document.title).toBe(`${brand.tagline.en} | ${brand.name.en}`))
  })

  it('show a spinner instead of the page until both calls have finished', async () => {
    let answer = (_: typeof notSignedIn) => {}
    open('/orders', {
      ...user,
      'GET /api/auth/agent': () =>
        new Promise<typeof notSignedIn>((resolve) => {
          answer = resolve
        }),
    })
    const main = within(screen.getByRole('main'))
    expect((await main.findByText(shell('restoring'))).closest('[role="status"]')).toBeTruthy()
    answer(notSignedIn)
    await heading('My orders')
  })

  it('offer a retry instead of the sign-in page when a check has failed', async () => {
    let isLineUp = false
    const { person, where } = open('/orders', {
      ...user,
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
    })
    await heading(shell('unknown.title'))
    expect(where()).toBe('/orders')
    isLineUp = true
    await person.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    await heading('My orders')
  })

  it('open the payment page only as a document of its own', async () => {
    open('/payment?clientSecret=a&publicKey=b&orderId=1', user)
    await waitFor(() =>
      expect(replaceDocument).toHaveBeenCalledWith('/payment?clientSecret=a&publicKey=b&orderId=1'),
    )
  })

  it('leave the payment document for the sign-in page with a full page load', async () => {
    open('/payment?orderId=1', visitor)
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith('/auth?next=%2Fpayment%3ForderId%3D1'))
  })
})

describe('the top bar', () => {
  it('offers sign-in to a visitor', async () => {
    open('/', visitor)
    const login = await bar().findByRole('link', { name: 'Login' })
    expect(login.getAttribute('href')).toBe('/auth')
    expect(bar().queryByRole('navigation')).toBeNull()
    expect(bar().getByRole('link', { name: 'Amtiati' }).getAttribute('href')).toBe('/')
  })

  it('is dark on the home page, and for agents on every page', async () => {
    const isNight = () => screen.getByRole('banner').classList.contains(styles.barNight ?? '')
    const home = open('/', visitor)
    expect(isNight()).toBe(true)
    home.unmount()
    const other = open('/privacy-policy', visitor)
    await heading('Privacy policy')
    expect(isNight()).toBe(false)
    other.unmount()
    open('/privacy-policy', agent)
    await waitFor(() => expect(isNight()).toBe(true))
  })

  it('shows a user the name, both pages and logout', async () => {
    open('/', user)
    const account = within(await bar().findByRole('navigation', { name: shell('account') }))
    expect(account.getByText('Amina')).toBeTruthy()
    // The name links to the account page.
    expect(account.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/account',
      '/booking',
      '/orders',
    ])
    expect(account.getByRole('button', { name: 'Logout' })).toBeTruthy()
  })

  it('shows an agent only the name and logout', async () => {
    open('/', agent)
    const account = within(await bar().findByRole('navigation', { name: shell('account') }))
    expect(account.getByText('Counter 1')).toBeTruthy()
    const [own, ...others] = account.getAllByRole('link')
    expect([own?.textContent, own?.getAttribute('href')]).toEqual(['Counter 1', '/account'])
    expect(others).toEqual([])
    expect(account.getByRole('button', { name: 'Logout' })).toBeTruthy()
  })

  it.each([
    ['user', '/orders'],
    ['agent', '/agent-orders'],
  ])('has the links of a likely %s before the session is known', (role, path) => {
    document.documentElement.dataset.role = role
    onTestFinished(() => void delete document.documentElement.dataset.role)
    open('/', visitor)
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toContain(path)
    expect(links.filter((href) => /^\/(agent-)?auth/.test(href ?? ''))).toEqual([])
    expect(bar().getByRole('button', { name: 'Logout' })).toBeTruthy()
  })

  it('offers a visitor the login before the session is known', () => {
    open('/', visitor)
    expect(bar().queryByRole('status')).toBeNull()
    expect(bar().getByRole('link', { name: 'Login' })).toBeTruthy()
    expect(footer().getByRole('link', { name: shell('footer.agentLogin') })).toBeTruthy()
  })

  it('goes to the home page at logout, without showing the sign-in page', async () => {
    sessionStorage.setItem('booking', '{}')
    const { person, calls } = open('/orders', user)
    await heading('My orders')
    await person.click(await bar().findByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledExactlyOnceWith('/'))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('My orders')
    expect(calls.filter(({ path }) => path === '/api/auth/logout')).toHaveLength(1)
    expect(sessionStorage.getItem('booking')).toBeNull()
  })

  it('goes to the home page when all sessions were ended, and clears the tab’s storage', async () => {
    const times = { createdAt: '2027-05-18T12:30:00.000Z', lastSeenAt: '2027-05-18T13:00:00.000Z' }
    const elsewhere = { id: 'id', device: 'Safari · iPhone', isCurrent: false, ...times }
    const { person } = open('/account', {
      ...user,
      'GET /api/auth/sessions': { body: { success: true, sessions: [elsewhere] } },
      'POST /api/auth/logout-everywhere': { body: { success: true } },
    })
    const end = await screen.findByRole('button', { name: 'Log out everywhere' })
    sessionStorage.setItem('booking', 'of this person')
    await person.click(end)
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledExactlyOnceWith('/'))
    expect(sessionStorage.getItem('booking')).not.toBe('of this person')
  })

  it('opens and closes the menu on phones', async () => {
    const { person } = open('/', user)
    const toggle = await bar().findByRole('button', { name: shell('menu') })
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    await person.click(toggle)
    expect(toggle.getAttribute('aria-expanded')).toBe('true')
    await person.keyboard('{Escape}')
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('the language toggle', () => {
  it('changes lang, dir, cookie, texts and title, and keeps page and query', async () => {
    const { person, where } = open('/privacy-policy?from=chat', visitor)
    await heading('Privacy policy')
    await person.click(bar().getByRole('button', { name: 'العربية' }))
    await heading('سياسة الخصوصية')
    expect(document.documentElement.lang).toBe('ar')
    expect(document.documentElement.dir).toBe('rtl')
    expect(document.cookie).toContain('lang=ar')
    expect(document.title).toBe('سياسة الخصوصية | أمتعتي')
    expect(where()).toBe('/privacy-policy?from=chat')
    await person.click(bar().getByRole('button', { name: 'English' }))
    await heading('Privacy policy')
    expect(document.documentElement.dir).toBe('ltr')
    expect(document.cookie).toContain('lang=en')
  })
})

describe('the footer', () => {
  const hrefs = () =>
    footer()
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))

  it('shows what the operator configured', async () => {
    open('/', visitor)
    const contacts = [await footer().findByText('desk@operator.example'), footer().getByText('+966 1')]
    expect(contacts.map((contact) => contact.closest('a'))).toEqual([null, null])
    expect(footer().getByText('Makkah')).toBeTruthy()
    expect(hrefs()).toContain('https://apps.example/amtiati')
    expect(footer().getByText(new RegExp(String(new Date().getFullYear())))).toBeTruthy()
  })

  it('is one line for a signed-in person: the phone, the language, and the rest unfolded', async () => {
    const { person } = open('/orders', user)
    await heading('My orders')
    const [phone, more] = [
      footer().getByRole('link', { name: '+966 1' }),
      footer().getByText(shell('footer.more')),
    ]
    expect(phone.getAttribute('href')).toBe('tel:+9661')
    expect(footer().getByRole('button', { name: 'العربية' })).toBeTruthy()
    expect(more.closest('details')?.open).toBe(false)
    await person.click(more)
    expect(more.closest('details')?.open).toBe(true)
    expect(hrefs()).toEqual(expect.arrayContaining(['/', '/privacy-policy', '/terms', '/booking', '/orders']))
  })

  it('offers agents’ sign-in to visitors only', async () => {
    const first = open('/', visitor)
    await footer().findByRole('link', { name: shell('footer.agentLogin') })
    expect(hrefs()).toEqual(expect.arrayContaining(['/', '/privacy-policy', '/terms', '/booking', '/orders']))
    first.unmount()
    open('/', user)
    await bar().findByText('Amina')
    expect(hrefs()).not.toContain('/agent-auth')
  })

  it('offers agents no booking and no orders of pilgrims', async () => {
    open('/', agent)
    await bar().findByText('Counter 1')
    expect(hrefs()).not.toEqual(expect.arrayContaining(['/booking']))
    expect(hrefs()).not.toEqual(expect.arrayContaining(['/orders']))
    expect(hrefs()).toContain('/privacy-policy')
  })
})

describe('public pages', () => {
  it.each([
    ['a visitor', visitor, 'Book a bag', '/auth'],
    ['a user', user, 'Book a bag', '/booking'],
    ['an agent', agent, 'Bags waiting for you', '/agent-orders'],
  ])('link %s from home to the right page', async (_, who, name, href) => {
    open('/', who)
    await waitFor(() => {
      const links = within(screen.getByRole('main')).getAllByRole('link', { name })
      expect(links.map((link) => link.getAttribute('href'))).toEqual([href, href])
    })
  })

  it.each([
    [
      'a visitor',
      visitor,
      '/auth?next=%2Fbooking%3Fcity%3DRiyadh',
      '/auth?next=%2Fbooking%3Fcity%3D',
      '/auth',
    ],
    ['a user', user, '/booking?city=Riyadh', '/booking?city=', '/booking'],
  ])('lead %s from a city of home to booking with that city', async (_, who, riyadh, all, none) => {
    const { person } = open('/', who)
    const main = () => within(screen.getByRole('main'))
    const hrefsOf = (name: string) =>
      main()
        .getAllByRole('link', { name })
        .map((link) => link.getAttribute('href'))
    const question = textOf('home', 'question')
    await waitFor(() => expect(hrefsOf(question)).toEqual([all]))
    const chip = main().getByRole('button', { name: 'Riyadh' })
    await person.click(chip)
    expect(chip.getAttribute('aria-pressed')).toBe('true')
    expect(hrefsOf('Book a bag to Riyadh')).toEqual([riyadh, riyadh])
    // The letters on the city's colour are for the eye.
    expect(hrefsOf(`${question} Riyadh`)).toEqual([all])
    await person.click(chip)
    expect(hrefsOf('Book a bag')).toEqual([none, none])
  })

  it('of booking open the list of cities where the address names none, and Back closes it', async () => {
    const { where, goBack } = open('/booking?city=', {
      ...user,
      ...partnerOf([centerOf()], [agentOf()]),
    })
    await screen.findByRole('dialog', { name: textOf('booking', 'labels.FROM_MINA.toCity') })
    expect(where()).toBe('/booking')
    goBack()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(where()).toBe('/booking')
  })

  it.each(['agentCode', 'centerCode'] as const)(
    'of the review open the list for %s, and Back leads past it to the review',
    async (question) => {
      const draft = {
        type: 'FROM_MINA',
        fromCity: null,
        toCity: 'Riyadh',
        centerCode: 'RUH1',
        agentCode: 'A1',
      }
      sessionStorage.setItem(
        'booking',
        JSON.stringify({ version: bookingVersion, step: 1, draft, history: [] }),
      )
      const { person, where, goBack } = open('/checkout', {
        ...user,
        ...partnerOf([centerOf()], [agentOf()]),
      })
      const name = textOf('checkout', question === 'agentCode' ? 'change.agent' : 'change.center')
      await person.click(await screen.findByRole('link', { name }))
      await screen.findByRole('dialog', { name: textOf('booking', `labels.FROM_MINA.${question}`) })
      expect(where()).toBe('/booking')
      goBack()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(where()).toBe('/booking')
      goBack()
      await waitFor(() => expect(where()).toBe('/checkout'))
    },
  )

  it.each([
    ['Riyadh', 'Riyadh'],
    ['Atlantis', null],
  ])('of booking take %s from the address once', async (city, chosen) => {
    const { where } = open(`/booking?city=${city}`, {
      ...user,
      ...partnerOf([], []),
    })
    await heading(textOf('booking', 'title'))
    await waitFor(() => expect(where()).toBe('/booking'))
    expect(JSON.parse(sessionStorage.getItem('booking') ?? 'null').draft.toCity).toBe(chosen)
  })

  it('show agents, who cannot book, no cities', async () => {
    open('/', agent)
    await screen.findAllByText('Bags waiting for you')
    // Until the session is known the page is that of a visitor.
    await waitFor(() => expect(screen.queryByRole('group', { name: textOf('home', 'question') })).toBeNull())
  })

  it('show a link to the home page for an unknown path', async () => {
    const { person, where } = open('/no/such/page', visitor)
    await heading(shell('notFound.title'))
    await person.click(screen.getByRole('link', { name: 'Return to Homepage' }))
    expect(where()).toBe('/')
  })

  it('answer the press on a link before the next page is rendered', async () => {
    open('/privacy-policy', visitor)
    await heading('Privacy policy')
    const observer = new MutationObserver(() => undefined)
    observer.observe(screen.getByRole('main'), { childList: true, subtree: true })
    fireEvent.click(footer().getByRole('link', { name: shell('footer.home') }))
    const added = observer.takeRecords().flatMap(({ addedNodes }) => [...addedNodes])
    observer.disconnect()
    const [first, ...later] = added.filter((node) => node instanceof Element)
    expect(first?.matches('[data-loading]')).toBe(true)
    expect(later.some((node) => node.querySelector('h1') !== null)).toBe(true)
  })

  it('move the focus to the heading of the next page', async () => {
    const { person } = open('/no/such/page', visitor)
    await heading(shell('notFound.title'))
    await person.click(footer().getByRole('link', { name: shell('footer.privacy') }))
    const next = await heading('Privacy policy')
    expect(document.activeElement).toBe(next)
  })
})

describe('the result of an order', () => {
  const draft = { type: 'FROM_MINA', fromCity: null, toCity: 'Riyadh', centerCode: 'RUH1', agentCode: 'A1' }
  const untouched = {
    version: bookingVersion,
    step: 1,
    draft,
    order: { key: 'k1', orderId: 42 },
    history: [],
  }
  const kept = () => JSON.parse(sessionStorage.getItem('booking') ?? 'null')

  function openResult(orderId: number, status: OrderStatus) {
    sessionStorage.setItem('booking', JSON.stringify(untouched))
    const order = orderOf({ orderId, status, payable: false })
    return open(`/thank-you?success=true&merchant_order_id=${orderId}`, {
      ...user,
      [`GET /api/orders/${orderId}`]: { body: { success: true, order } },
      ...partnerOf([], []),
    })
  }
  const result = (status: string) =>
    screen.findByRole('dialog', { name: textOf('payment', `thankYou.titles.${status}`) })
  const press = async (key: string, { person }: ReturnType<typeof open>) => {
    await person.click(screen.getByRole('button', { name: textOf('payment', `thankYou.${key}`) }))
    expect(await heading(textOf('booking', 'title'))).toBeTruthy()
  }

  it('is stored with the draft before the payment document is opened', async () => {
    sessionStorage.setItem(
      'booking',
      JSON.stringify({ version: bookingVersion, step: 1, draft, history: [] }),
    )
    let atOpening: unknown
    vi.mocked(openDocument).mockImplementation(() => {
      atOpening = kept()
    })
    const { person } = open('/checkout', {
      ...user,
      ...partnerOf([], []),
      'POST /api/checkout': { body: { success: true, orderId: 43, clientSecret: 'cs', publicKey: 'pk' } },
    })
    await person.click(await screen.findByRole('button', { name: /^Pay/ }))
    await waitFor(() => expect(openDocument).toHaveBeenCalledOnce())
    expect(atOpening).toMatchObject({ draft, order: { key: expect.any(String), orderId: 43 } })
  })

  it('completes its draft as soon as it is paid, so that Back cannot pay twice', async () => {
    openResult(42, 'PAID')
    await result('PAID')
    const empty = { type: 'FROM_MINA', fromCity: null, toCity: null, centerCode: null, agentCode: null }
    await waitFor(() => expect(kept()).toMatchObject({ step: 0, draft: empty, history: [draft] }))
  })

  it('leaves another draft unchanged', async () => {
    const view = openResult(41, 'PAID')
    await result('PAID')
    await press('close', view)
    expect(kept()).toEqual({ ...untouched, step: 0 })
  })

  it.each([
    ['its button', (view: ReturnType<typeof open>) => press('close', view)],
    ['Escape', () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))],
    ['Back', (view: ReturnType<typeof open>) => act(view.goBack)],
  ])('leads to a new booking when it is closed by %s, in the place of the result', async (_, close) => {
    const view = openResult(42, 'PAID')
    await result('PAID')
    await close(view)
    expect(await heading(textOf('booking', 'title'))).toBeTruthy()
    expect(view.where()).toBe('/booking')
    act(view.goBack)
    expect(view.where()).toBe('/booking')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('keeps the draft when the order expired', async () => {
    const view = openResult(42, 'EXPIRED')
    await result('EXPIRED')
    await press('pending.bookAgain', view)
    expect(kept()).toMatchObject({ draft, history: [] })
  })

  it('completes the draft of a pending order when the user books again', async () => {
    const view = openResult(42, 'PENDING_PAYMENT')
    await result('PENDING_PAYMENT')
    await press('pending.bookAgain', view)
    expect(kept()).toMatchObject({ history: [draft] })
  })
})
