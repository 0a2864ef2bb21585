// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '#client/platform/call.ts'
import { replaceDocument } from '#client/platform/document.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { configOf, orderOf, partnerOf } from '#test/builders/answer.builder.ts'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { loadPage } from './pages.ts'
import { AppRoutes } from './router.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  replaceDocument: vi.fn(),
}))

/** Shell, toasts and address for the signed-in person. */

type Table = Parameters<typeof stubGateway>[0]

const none = { body: { success: false } }
const amina = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const bilal = { body: { success: true, userId: 8, name: 'Bilal', phone: '+966501234568' } }
const times = { createdAt: '2027-05-18T12:30:00.000Z', lastSeenAt: '2027-05-18T13:00:00.000Z' }
const codeSent = {
  body: {
    success: true,
    sent: true,
    expiresInSeconds: 300,
    resendInSeconds: 60,
    nextChannelInSeconds: 30,
    channel: 'sms',
    channels: ['sms'],
  },
}
const sessionsOn = (device: string) => ({
  body: { success: true, sessions: [{ id: 's', device, isCurrent: false, ...times }] },
})
const shell = (key: string) => textOf('shell', key)
const bar = () => within(screen.getByRole('banner'))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

function open(at: string, table: Table) {
  const calls = stubGateway({
    'GET /api/config': { body: configOf() },
    'GET /api/auth/user': none,
    'GET /api/auth/agent': none,
    ...partnerOf([], []),
    ...table,
  })
  const view = renderPage(<AppRoutes />, { at })
  return { ...view, calls, person: userEvent.setup() }
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.mocked(replaceDocument).mockReset()
})

describe('another person on the same tab', () => {
  it('does not see the previous person’s account page while their own loads', async () => {
    let user = amina
    let list: object | Promise<object> = sessionsOn('Chrome · Android')
    open('/account', {
      'GET /api/auth/user': () => user,
      'GET /api/auth/sessions': () => list as Promise<ReturnType<typeof sessionsOn>>,
    })
    await screen.findByText('Chrome · Android')
    user = bilal
    list = new Promise<object>(() => {})
    act(() => void window.dispatchEvent(new Event('focus')))
    await bar().findByText('Bilal')
    expect(screen.queryByText('Chrome · Android')).toBeNull()
    expect(screen.queryByText('Amina')).toBeNull()
  })

  it('sees neither orders, search nor open order of the agent before, while their own load', async () => {
    const found = orderOf({ orderId: 42, user: { name: 'Ahmad Yusuf', phone: null } })
    const counts = { waiting: 1, received: 0, refused: 0 }
    let agentId = 5
    const { person, calls } = open('/agent-orders', {
      'GET /api/auth/agent': () => ({ body: { success: true, agentId, name: 'Counter', phone: '+9665' } }),
      'GET /api/orders/agent/5': { body: { success: true, orders: [found], counts, nextCursor: null } },
      'GET /api/orders/42': { body: { success: true, order: found } },
      'GET /api/orders/agent/6': () => new Promise<never>(() => {}),
    })
    const counter = (key: string) => textOf('agent-orders', key)
    const box = () => screen.findByRole('searchbox', { name: counter('search.label') })
    await person.type(await box(), 'Ahmad{Enter}')
    await person.click(await screen.findByRole('button', { name: /OD-42$/ }))
    await screen.findByRole('article', { name: 'OD-42' })
    agentId = 6
    act(() => void window.dispatchEvent(new Event('focus')))
    const asked = () => calls.filter(({ path }) => path === '/api/orders/agent/6')
    await waitFor(() => expect(asked()).not.toEqual([]))
    expect(await box()).toHaveProperty('value', '')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByText(/OD-42/)).toBeNull()
    expect(screen.getByText(counter('loading'))).toBeTruthy()
    expect(asked().filter(({ query }) => query.q !== undefined)).toEqual([])
  })
})

describe('a logout', () => {
  it('that failed leaves the user signed in, shows the failure, and can be retried', async () => {
    expectConsole(/logout/)
    let isLineUp = false
    const { person } = open('/', {
      'GET /api/auth/user': amina,
      'POST /api/auth/logout': () => (isLineUp ? { body: { success: true } } : undefined),
    })
    await person.click(await bar().findByRole('button', { name: shell('logout') }))
    expect(await bar().findByText(shell('logoutFailed'))).toBeTruthy()
    expect(bar().getByText('Amina')).toBeTruthy()
    // The failure is not shown on the next page.
    await person.click(screen.getByRole('link', { name: shell('footer.privacy') }))
    await waitFor(() => expect(bar().queryByText(shell('logoutFailed'))).toBeNull())
    isLineUp = true
    await person.click(bar().getByRole('button', { name: shell('logout') }))
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledExactlyOnceWith('/'))
    expect(bar().queryByText(shell('logoutFailed'))).toBeNull()
  })
})

it('a check that comes while a logout leads to the home page does not lead to the sign-in page', async () => {
  let isSignedIn = true
  const { person, calls, where } = open('/orders', {
    'GET /api/auth/user': () => (isSignedIn ? amina : none),
    'GET /api/orders/user/7': () =>
      isSignedIn
        ? { body: { success: true, orders: [], nextCursor: null } }
        : problem(401, 'NOT_SIGNED_IN', 'Sign in.'),
    'POST /api/auth/logout': () => {
      isSignedIn = false
      return { body: { success: true } }
    },
  })
  await screen.findByRole('heading', { level: 1 })
  await person.click(await bar().findByRole('button', { name: shell('logout') }))
  const asked = () => calls.filter(({ path }) => path === '/api/auth/user')
  const before = asked().length
  // A poll of the page, and the person looks at another tab for a moment.
  await act(() => call(listUserOrders, { params: { userId: '7' } }).catch(() => undefined))
  act(() => void window.dispatchEvent(new Event('focus')))
  expect(where()).toBe('/orders')
  expect(replaceDocument).toHaveBeenCalledExactlyOnceWith('/')
  expect(asked()).toHaveLength(before)
})

describe('the menu of the account', () => {
  it.each([
    [
      'a link to the page that is open',
      (person) => person.click(bar().getByRole('link', { name: shell('myOrders') })),
      true,
    ],
    ['Escape', (person) => person.keyboard('{Escape}'), true],
    ['a press outside', (person) => person.click(document.body), false],
  ] satisfies [string, (person: ReturnType<typeof userEvent.setup>) => Promise<void>, boolean][])(
    'is closed by %s, and leaves the focus on no hidden link',
    async (_, press, isFocused) => {
      const { person } = open('/orders', {
        'GET /api/auth/user': amina,
        'GET /api/orders/user/7': { body: { success: true, orders: [], nextCursor: null } },
      })
      // It takes the focus when it appears.
      await screen.findByRole('heading', { level: 1 })
      const menu = await bar().findByRole('button', { name: shell('menu') })
      await person.click(menu)
      expect(menu.getAttribute('aria-expanded')).toBe('true')
      act(() =>
        bar()
          .getByRole('link', { name: shell('myOrders') })
          .focus(),
      )
      await press(person)
      expect(menu.getAttribute('aria-expanded')).toBe('false')
      if (isFocused) expect(document.activeElement).toBe(menu)
    },
  )
})

describe('a deleted account', () => {
  const account = (key: string) => textOf('account', key)
  const button = (name: string) => screen.findByRole('button', { name })

  /** Deletes the account, and leaves the tab for a moment while the dialog says so. */
  async function deleted() {
    let isDeleted = false
    const { person, calls } = open('/account', {
      'GET /api/auth/user': () => (isDeleted ? none : amina),
      'GET /api/auth/sessions': sessionsOn('Chrome · Android'),
      'DELETE /api/auth/user': () => {
        isDeleted = true
        return { body: { success: true } }
      },
      'POST /api/auth/confirm': codeSent,
      'POST /api/auth/confirm/verify': { body: { success: true, confirmedUntil: times.lastSeenAt } },
    })
    await person.click(await button(account('remove.open')))
    await person.click(await button(account('remove.confirm')))
    await person.click(await button(textOf('sessions', 'send')))
    await person.type(await screen.findByRole('textbox', { name: textOf('sessions', 'code.label') }), '1234')
    const home = await button(account('remove.home'))
    const asked = () => calls.filter(({ path }) => path.startsWith('/api/auth/'))
    const before = asked().length
    act(() => void window.dispatchEvent(new Event('focus')))
    return { person, home, asked, before }
  }

  it('is confirmed until the user leaves the dialog', async () => {
    const { person, home, asked, before } = await deleted()
    await person.click(home)
    expect(replaceDocument).toHaveBeenCalledExactlyOnceWith('/')
    expect(asked()).toHaveLength(before)
  })

  it('has no session on the page that the user goes to from the dialog', async () => {
    const { person } = await deleted()
    await person.click(screen.getByRole('link', { name: shell('footer.privacy') }))
    await bar().findByRole('link', { name: shell('login') })
  })
})

describe('a session check that failed', () => {
  it('shows a retry button in the top bar instead of a login link', async () => {
    let isLineUp = false
    const { person } = open('/', { 'GET /api/auth/user': () => (isLineUp ? amina : undefined) })
    const again = await bar().findByRole('button', { name: shell('unknown.retry') })
    expect(bar().queryByRole('link', { name: shell('login') })).toBeNull()
    isLineUp = true
    await person.click(again)
    await bar().findByText('Amina')
  })
})

describe('a toast', () => {
  // jsdom runs no animations, so a closing toast is never removed.
  const toast = () =>
    document.querySelector('[data-toast] p, .ant-message-notice:not(.ant-message-fade-leave)')
  const refused = async (person: ReturnType<typeof userEvent.setup>) => {
    const send = await screen.findByRole('button', { name: textOf('sessions', 'send') })
    await person.click(send)
    await waitFor(() => expect(toast()?.textContent).toBe(textOf('sessions', 'errors.phone')))
  }

  it('closes on navigation', async () => {
    const { person } = open('/auth', {})
    await heading(textOf('sessions', 'login.title'))
    await refused(person)
    const footer = within(screen.getByRole('contentinfo'))
    await person.click(footer.getByRole('link', { name: shell('footer.agentLogin') }))
    await heading(textOf('sessions', 'agent.title'))
    await waitFor(() => expect(toast()).toBeNull())
  })
})

it('an address with a fragment scrolls to that part of the page', async () => {
  await loadPage('/')
  const scrolled = vi.fn()
  Element.prototype.scrollIntoView = function scrollIntoView() {
    scrolled(this.id)
  }
  open('/#services', {})
  await waitFor(() => expect(scrolled).toHaveBeenCalledWith('services'))
})
