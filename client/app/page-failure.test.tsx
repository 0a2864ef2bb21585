// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { ownKeptOrders } from '#client/entities/order/kept-orders.ts'
import { reloadDocument } from '#client/platform/document.ts'
import { configOf, orderOf, partnerOf } from '#test/builders/answer.builder.ts'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import { notSignedIn, renderPage, stubGateway, stubNavigator, textOf } from '#test/kit/client/render-page.tsx'
import { AppRoutes } from './router.tsx'

const failing = vi.hoisted(() => ({ orders: false, everyone: false }))

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  reloadDocument: vi.fn(),
}))
vi.mock(import('#client/features/orders/orders.page.tsx'), async (load) => {
  const { OrdersPage } = await load()
  return {
    OrdersPage: () => {
      if (failing.orders) throw new Error('the page of orders is broken')
      return OrdersPage()
    },
  }
})

vi.mock(import('#client/features/home/home.page.tsx'), async (load) => {
  const { HomePage } = await load()
  return {
    HomePage: () => {
      if (failing.everyone) throw new Error('the page of home is broken')
      return HomePage()
    },
  }
})
vi.mock(import('#client/features/privacy/privacy-policy.page.tsx'), async (load) => {
  const { PrivacyPolicyPage } = await load()
  return {
    PrivacyPolicyPage: () => {
      if (failing.everyone) throw new Error('the page of privacy is broken')
      return PrivacyPolicyPage()
    },
  }
})

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

function open(at: string) {
  const calls = stubGateway({
    'POST /api/reports': { status: 204, body: undefined },
    'GET /api/config': { body: configOf() },
    'GET /api/auth/user': { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } },
    'GET /api/auth/agent': notSignedIn,
    'GET /api/orders/user/7': { body: { success: true, orders: [], nextCursor: null } },
    ...partnerOf([], []),
  })
  renderPage(<AppRoutes />, { at })
  return Object.assign(userEvent.setup(), { calls })
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.mocked(reloadDocument).mockReset()
})
afterEach(() => {
  failing.orders = false
  failing.everyone = false
})

describe('a page that throws', () => {
  it('leaves the shell and other pages working, and can be retried in place', async () => {
    expectConsole(/the page of orders is broken/)
    failing.orders = true
    const person = open('/orders')
    await heading(textOf('shell', 'failure.title'))
    const reports = person.calls.filter(({ path }) => path === '/api/reports')
    expect(reports.map(({ body }) => body)).toEqual([
      {
        type: 'error',
        message: 'the page of orders is broken',
        stack: expect.stringContaining('page-failure'),
        // The path of the window, which the router of the tests does not change.
        path: '/',
        release: '',
      },
    ])
    const bar = within(screen.getByRole('banner'))
    expect(bar.getByText('Amina')).toBeTruthy()
    await person.click(bar.getByRole('link', { name: 'Book now' }))
    await heading(textOf('booking', 'title'))
    await person.click(bar.getByRole('link', { name: 'My orders' }))
    await heading(textOf('shell', 'failure.title'))

    failing.orders = false
    await person.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    await heading(textOf('orders', 'title'))
    expect(reloadDocument).not.toHaveBeenCalled()
  })

  it.each([
    ['/', []],
    ['/privacy-policy', ['/']],
  ])('at %s links home, but not to itself', async (at, expected) => {
    expectConsole(/is broken/)
    failing.everyone = true
    open(at)
    await heading(textOf('shell', 'failure.title'))
    const links = within(screen.getByRole('main')).queryAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(expected)
  })

  it('offers a reload after a retry in place has failed', async () => {
    expectConsole(/the page of orders is broken/)
    failing.orders = true
    const person = open('/orders')
    await heading(textOf('shell', 'failure.title'))
    const again = () => screen.getByRole('button', { name: textOf('ui', 'tryAgain') })
    await person.click(again())
    expect(reloadDocument).not.toHaveBeenCalled()
    await person.click(again())
    await waitFor(() => expect(reloadDocument).toHaveBeenCalledTimes(1))
  })
})

describe('a page that failed to load offline', () => {
  it.each([
    ['/privacy-policy', 'keptOrders', '/orders'],
    ['/privacy-policy', 'keptBags', '/agent-orders'],
    ['/', 'keptOrders', '/orders'],
    ['/orders', 'keptOrders', undefined],
    ['/', undefined, undefined],
  ])('at %s needs a connection, and leads to what is kept (%s), not to itself', async (at, kept, href) => {
    expectConsole(/is broken/)
    failing.orders = true
    failing.everyone = true
    stubNavigator({ onLine: false })
    if (kept === 'keptBags') localStorage.setItem('scanAgent', '3')
    if (kept === 'keptOrders') {
      ownKeptOrders(7)
      await keepingOrders(Promise.resolve(orderOf()), (order) => [order])
    }
    stubGateway({})
    renderPage(<AppRoutes />, { at })
    await heading(textOf('shell', 'needsConnection.title'))
    const links = within(screen.getByRole('main')).queryAllByRole('link')
    const expected = href === undefined ? [] : [[textOf('shell', `${kept}`), href]]
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(expected)
  })

  it('loads when the network returns, be it in the moment in which the failure is shown', async () => {
    expectConsole(/the page of orders is broken/)
    failing.orders = true
    open('/orders')
    await waitFor(() => {
      screen.getByRole('heading', { level: 1, name: textOf('shell', 'failure.title') })
      failing.orders = false
      act(() => void window.dispatchEvent(new Event('online')))
    })
    await heading(textOf('orders', 'title'))
    expect(reloadDocument).not.toHaveBeenCalled()
  })
})
