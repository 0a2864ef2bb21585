import { describe, expect, it } from 'vitest'
import { emptySession, type Session, type SessionAnswer, sessionOf } from '#client/session/session.rules.ts'
import { accessTo, ownPath } from './access.rules.ts'
import type { PageAccess } from './routes.ts'

const nothing = { hasAgentToken: false, wasSignedIn: false, documentRole: null }
const answered = (answer: Partial<SessionAnswer>) => sessionOf({ ...emptySession, ...answer }, nothing)
const start = sessionOf(undefined, nothing)
const failure = new Error('No network')
const visitor = answered({})
const unreachable = answered({ failures: { user: failure, agent: failure } })
const user = answered({ user: { id: 7, name: 'A', phone: '+1' } })
const agent = answered({ agent: { id: 3, name: 'B', phone: '+2' } })

const here = '/thank-you?success=true&merchant_order_id=42'
const access = (area: PageAccess, state: Session, next: string | null = null) => {
  const answer = accessTo(area, state, here, next)
  return answer.kind === 'redirect' ? answer.to : answer.kind
}

describe('access', () => {
  it.each(['user', 'agent', 'account'] as const)(
    'to %s waits until both start-up calls have finished',
    (area) => {
      expect(access(area, start)).toBe('wait')
    },
  )

  it.each(['user-sign-in', 'agent-sign-in'] as const)(
    'to %s does not wait, unless this browser had a session',
    (area) => {
      expect(access(area, start)).toBe('allow')
      expect(access(area, sessionOf(undefined, { ...nothing, wasSignedIn: true }))).toBe('wait')
      expect(access(area, sessionOf(undefined, { ...nothing, hasAgentToken: true }))).toBe('wait')
    },
  )

  it('to users’ pages is for users; others sign in first and return', () => {
    expect(access('user', user)).toBe('allow')
    expect(access('user', visitor)).toBe(`/auth?${new URLSearchParams({ next: here })}`)
    expect(access('user', agent)).toBe('/agent-orders')
  })

  it('to the account page is for users and agents; others sign in first and return', () => {
    expect(access('account', user)).toBe('allow')
    expect(access('account', agent)).toBe('allow')
    expect(access('account', visitor)).toBe(`/auth?${new URLSearchParams({ next: here })}`)
    expect(access('account', unreachable)).toBe('unknown')
    expect(access('user-sign-in', user, '/account')).toBe('/account')
  })

  it('to the agents’ page is for agents', () => {
    expect(access('agent', agent)).toBe('allow')
    const fromPage = (state: Session, page: string) => accessTo('agent', state, page, null)
    expect(fromPage(visitor, '/agent-orders')).toEqual({ kind: 'redirect', to: '/agent-auth' })
    expect(fromPage(user, '/agent-orders')).toEqual({ kind: 'redirect', to: '/agent-auth' })
  })

  it('to the agents’ page returns to the filters in the address after sign-in', () => {
    const filtered = '/agent-orders?state=waiting'
    const next = `/agent-auth?${new URLSearchParams({ next: filtered })}`
    expect(accessTo('agent', visitor, filtered, null)).toEqual({ kind: 'redirect', to: next })
    expect(access('agent-sign-in', agent, filtered)).toBe(filtered)
    expect(access('agent-sign-in', agent, '/orders')).toBe('/agent-orders')
    expect(access('agent-sign-in', agent, 'https://evil.example/agent-orders')).toBe('/agent-orders')
  })

  it('to users’ sign-in is for visitors', () => {
    expect(access('user-sign-in', visitor)).toBe('allow')
    expect(access('user-sign-in', user)).toBe('/booking')
    expect(access('user-sign-in', user, here)).toBe(here)
    expect(access('user-sign-in', agent)).toBe('/agent-orders')
  })

  it('to agents’ sign-in is for visitors and users', () => {
    expect(access('agent-sign-in', visitor)).toBe('allow')
    expect(access('agent-sign-in', user)).toBe('allow')
    expect(access('agent-sign-in', agent)).toBe('/agent-orders')
  })

  it('does not redirect to sign-in while a check has failed', () => {
    expect(access('user', unreachable)).toBe('unknown')
    expect(access('agent', unreachable)).toBe('unknown')
    expect(access('user-sign-in', unreachable)).toBe('allow')
    expect(access('user', answered({ failures: { agent: failure } }))).toContain('/auth?')
  })
})

describe('access to the counter', () => {
  const known = { hasScanAgent: true }
  const at = (state: Session, circumstances: Parameters<typeof accessTo>[4], page = '/agent-scan') =>
    accessTo('agent', state, page, null, circumstances)

  it('is for the agent known last while the server cannot be asked', () => {
    for (const page of ['/agent-scan', '/agent-orders'])
      expect(at(unreachable, known, page)).toEqual({ kind: 'kept' })
    expect(at(start, { ...known, isSlow: true })).toEqual({ kind: 'kept' })
    expect(at(start, known)).toEqual({ kind: 'wait' })
    expect(at(unreachable, {})).toEqual({ kind: 'unknown' })
  })

  it('is for no other page, and not once the server has answered', () => {
    expect(at(unreachable, known, '/orders')).toEqual({ kind: 'unknown' })
    const next = `/agent-auth?${new URLSearchParams({ next: '/agent-scan' })}`
    expect(at(visitor, known)).toEqual({ kind: 'redirect', to: next })
    expect(at(user, known)).toEqual({ kind: 'redirect', to: next })
    expect(access('agent-sign-in', agent, '/agent-scan')).toBe('/agent-scan')
  })
})

describe('access without an answer of the server', () => {
  const kept = { hasKeptOrders: true }
  const at = (page: string, state: Session, circumstances: Parameters<typeof accessTo>[4]) =>
    accessTo('user', state, page, null, circumstances).kind

  it.each(['/orders', '/orders?x=1', '/orders/42', '/thank-you?success=true&merchant_order_id=42'])(
    'shows kept orders at %s',
    (page) => {
      expect(at(page, unreachable, kept)).toBe('kept')
      expect(at(page, unreachable, {})).toBe('unknown')
    },
  )

  it.each(['/booking', '/checkout', '/payment?orderId=42', '/ordersx'])(
    'shows nothing kept at %s',
    (page) => {
      expect(at(page, unreachable, kept)).toBe('unknown')
      expect(at(page, start, { ...kept, isSlow: true })).toBe('wait')
    },
  )

  it('shows kept orders at once, before the check is answered', () => {
    expect(at('/orders', start, kept)).toBe('kept')
    expect(at('/orders', start, { isSlow: true })).toBe('wait')
  })

  it('does not show kept orders to a visitor or an agent', () => {
    expect(at('/orders', visitor, kept)).toBe('redirect')
    expect(at('/orders', agent, kept)).toBe('redirect')
  })

  it('opens no other area', () => {
    for (const area of ['account', 'agent'] as const)
      expect(accessTo(area, unreachable, '/orders', null, kept).kind).toBe('unknown')
  })
})

describe('the path after sign-in', () => {
  it.each([
    '/booking',
    '/checkout',
    '/orders',
    '/orders/42',
    '/thank-you?success=false',
    '/payment?orderId=1',
  ])('may be %s', (path) => {
    expect(ownPath(path)).toBe(path)
  })

  it.each([
    null,
    '',
    '/',
    '/auth',
    '/agent-orders',
    '/nowhere',
    'https://evil.example/booking',
    '//evil.example/booking',
    '/\\evil.example/booking',
    '\\\\evil.example/booking',
    'javascript:alert(1)//booking',
    'http://own.invalid.evil.example/booking',
    '/api/auth/logout',
    '/orders/42/more',
    '/Booking',
    'http://',
    '///evil.example/booking',
    '/\t/evil.example/booking',
    '\n//evil.example/booking',
    '/\n/evil.example/booking',
    '/%2Fevil.example/booking',
    '/%5Cevil.example/booking',
    '%2F%2Fevil.example/booking',
    '/booking@evil.example',
    'https:evil.example/booking',
    'https:/evil.example/booking',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,/booking',
    'blob:https://own.invalid/booking',
    '/booking/../../evil',
    '/.//evil.example/booking',
  ])('may not be %s', (path) => {
    expect(ownPath(path)).toBeUndefined()
  })

  it('may end with a slash', () => {
    expect(ownPath('/orders/')).toBe('/orders')
    expect(ownPath('/orders/?x=1')).toBe('/orders?x=1')
    expect(ownPath('/')).toBeUndefined()
  })

  it('is parsed as browsers parse it', () => {
    expect(ownPath('/privacy-policy/../orders')).toBe('/orders')
  })
})
