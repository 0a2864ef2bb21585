// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { configOf, orderOf, partnerOf } from '#test/builders/answer.builder.ts'
import {
  noSession,
  renderPage,
  type StubbedRoute,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { AppRoutes } from './router.tsx'

/** The answer of another release, or of a proxy. */
const wrong = { body: { success: true } }

const known: Readonly<Record<string, StubbedRoute>> = {
  'GET /api/config': { body: configOf() },
  ...partnerOf([], []),
  ...noSession,
}
const person = { name: 'Amina', phone: '+966501234567' }
const user = {
  'GET /api/auth/user': { body: { success: true, userId: 7, ...person } },
  'GET /api/orders/user/7': { body: { success: true, orders: [orderOf()], nextCursor: null } },
}
const agent = { 'GET /api/auth/agent': { body: { success: true, agentId: 3, ...person } } }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it.each([
  { call: 'GET /api/auth/user', at: '/orders', who: {} },
  { call: 'GET /api/auth/agent', at: '/agent-orders', who: {} },
  { call: 'GET /api/config', at: '/booking', who: user },
  { call: 'GET /api/orders/user/7', at: '/orders', who: user },
  { call: 'GET /api/orders/1', at: '/orders/1', who: user },
  { call: 'GET /api/orders/agent/3', at: '/agent-orders', who: agent },
])(
  '$at says that it failed, and offers another try, where $call answers something else',
  async ({ call, at, who }) => {
    stubGateway({ ...known, ...who, [call]: wrong })
    renderPage(<AppRoutes />, { at })
    const alert = await screen.findByText(textOf('platform', 'unexpected'))
    expect(alert).toBeTruthy()
    expect(screen.getByRole('button', { name: textOf('ui', 'tryAgain') })).toBeTruthy()
    expect(screen.getByRole('banner')).toBeTruthy()
  },
)

it.each(['GET /api/auth/user', 'GET /api/auth/agent', 'GET /api/config'])(
  'the start page is there where %s answers something else',
  async (call) => {
    stubGateway({ ...known, [call]: wrong })
    renderPage(<AppRoutes />, { at: '/' })
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(screen.getAllByRole('link', { name: textOf('home', 'book') })).not.toEqual([])
  },
)
