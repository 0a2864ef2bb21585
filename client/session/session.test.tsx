// @vitest-environment jsdom
import { useQueryClient } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyKeptOrders } from '#client/entities/order/kept-orders.rules.ts'
import { keepingOrders, ownKeptOrders, readKeptOrders } from '#client/entities/order/kept-orders.ts'
import { call } from '#client/platform/call.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { expectConsole } from '#test/kit/console-check.ts'
import {
  noSession,
  notSignedIn,
  problem,
  renderPage,
  type StubbedRoute,
  type StubResponse,
  stubGateway,
  stubNavigator,
} from '#test/kit/render-page.tsx'
import { endSession, renamed, signedIn, signedOut, useSession, useSessionChecks } from './session.ts'
import { claimTab, findTabOwner } from './tab-owner.ts'

const aUser = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const anAgent = { body: { success: true, agentId: 3, name: null, phone: '+966500000101' } }

const amina = { id: 7, name: 'Amina', phone: '+966501234567' }
const bilal = { id: 8, name: 'Bilal', phone: '+966501234568' }

function IdentityView() {
  const client = useQueryClient()
  const { role, user, error, isRestoring, isUnknown, hasEnded } = useSession()
  useSessionChecks()
  const [hasLeft, setHasLeft] = useState<boolean>()

  async function leave(): Promise<void> {
    const isEnded = await endSession()
    if (isEnded) signedOut(client)
    setHasLeft(isEnded)
  }

  return (
    <>
      <p data-testid="identity">{isRestoring ? 'restoring' : `${role} ${user?.name ?? ''}`}</p>
      <p data-testid="error">{error?.message ?? 'none'}</p>
      <p data-testid="known">{String(!isUnknown)}</p>
      {/* A page under the guard: it is not there while the session is restored. */}
      {isRestoring ? null : <input />}
      <p data-testid="told">{hasEnded ? 'ended' : 'nothing'}</p>
      <button type="button" onClick={() => client.setQueryData(['orders'], 'of the one before')}>
        {'read orders'}
      </button>
      <p data-testid="cached">{String(client.getQueryData(['orders']))}</p>
      {[amina, bilal].map((user) => (
        <button key={user.id} type="button" onClick={() => signedIn(client, { user })}>
          {`sign in ${user.name}`}
        </button>
      ))}
      <button type="button" onClick={() => renamed(client, { ...amina, name: 'Amina Noor' })}>
        {'rename'}
      </button>
      <p data-testid="logout">{String(hasLeft)}</p>
      <button type="button" onClick={() => void leave()}>
        {'logout'}
      </button>
    </>
  )
}

const show = () => renderPage(<IdentityView />)
const identity = () => screen.getByTestId('identity').textContent?.trim()

const told = () => screen.getByTestId('told').textContent
const focusTab = () => act(() => void window.dispatchEvent(new Event('focus')))

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('the start', () => {
  it('requests user and agent sessions, and waits for both', async () => {
    let answerAgent = (_: typeof notSignedIn) => {}
    const calls = stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': () =>
        new Promise<typeof notSignedIn>((resolve) => {
          answerAgent = resolve
        }),
    })
    show()
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/auth/agent'))
    expect(identity()).toBe('restoring')
    answerAgent(notSignedIn)
    await waitFor(() => expect(identity()).toBe('user Amina'))
  })

  it('records no error without a session, and drops a stale token', async () => {
    localStorage.setItem('agentToken', 'stale')
    stubGateway(noSession)
    show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(screen.getByTestId('error').textContent).toBe('none')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('keeps the token and records the failure when the server is unreachable', async () => {
    localStorage.setItem('agentToken', 'maybe')
    stubGateway({ 'GET /api/auth/user': notSignedIn })
    show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(screen.getByTestId('error').textContent).toMatch(/could not connect/i)
    expect(localStorage.getItem('agentToken')).not.toBeNull()
  })

  it('sends probe, so that a visitor’s console shows no 401', async () => {
    const calls = stubGateway({
      'GET /api/auth/user': { body: { success: false } },
      'GET /api/auth/agent': { body: { success: false } },
    })
    show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(screen.getByTestId('error').textContent).toBe('none')
    expect(new Set(calls.map(({ query }) => query.probe))).toEqual(new Set(['1']))
  })

  it('restores an agent', async () => {
    stubGateway({ 'GET /api/auth/user': notSignedIn, 'GET /api/auth/agent': anAgent })
    show()
    await waitFor(() => expect(identity()).toBe('agent'))
  })
})

describe('a session that ends while the page is open', () => {
  it('is detected by the 401 of any call', async () => {
    let isSignedIn = true
    stubGateway({
      'GET /api/auth/user': () => (isSignedIn ? aUser : notSignedIn),
      'GET /api/auth/agent': notSignedIn,
      'GET /api/orders/1': notSignedIn,
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    isSignedIn = false
    await expect(call(readOrder, { params: { id: '1' } })).rejects.toMatchObject({ status: 401 })
    await waitFor(() => expect(identity()).toBe('null'))
  })

  it('is kept when the check fails without a network', async () => {
    let isLineUp = true
    const calls = stubGateway({
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
      'GET /api/auth/agent': notSignedIn,
      'GET /api/orders/1': notSignedIn,
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    const before = calls.length
    isLineUp = false
    await expect(call(readOrder, { params: { id: '1' } })).rejects.toMatchObject({ status: 401 })
    await waitFor(() => expect(calls.length).toBe(before + 2))
    expect(identity()).toBe('user Amina')
  })
})

describe('a session that ended while the tab was closed or hidden', () => {
  it('is recorded after a reload of its tab', async () => {
    claimTab({ role: 'user', id: 7 })
    stubGateway(noSession)
    show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(told()).toBe('ended')
  })

  it('is not recorded for a new visitor, nor while the server is unreachable', async () => {
    stubGateway(noSession)
    const first = show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(told()).toBe('nothing')
    first.unmount()
    claimTab({ role: 'user', id: 7 })
    stubGateway({ 'GET /api/auth/agent': notSignedIn })
    show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(told()).toBe('nothing')
  })

  it('is not recorded after a logout', async () => {
    stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': notSignedIn,
      'POST /api/auth/logout': { body: { success: true } },
    })
    const first = show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    expect(findTabOwner()).toEqual({ role: 'user', id: 7 })
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(identity()).toBe('null'))
    first.unmount()
    stubGateway(noSession)
    show()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(told()).toBe('nothing')
  })
})

describe('another tab', () => {
  it('that logged out is detected on focus, and typed text stays', async () => {
    let user: typeof notSignedIn = aUser
    stubGateway({ 'GET /api/auth/user': () => user, 'GET /api/auth/agent': notSignedIn })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    sessionStorage.setItem('booking', 'half made')
    user = notSignedIn
    focusTab()
    await waitFor(() => expect(identity()).toBe('null'))
    expect(told()).toBe('ended')
    expect(sessionStorage.getItem('booking')).toBe('half made')
    user = aUser
    focusTab()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    expect(told()).toBe('nothing')
    expect(sessionStorage.getItem('booking')).toBe('half made')
  })

  it('that signed in another user clears the previous user’s data', async () => {
    let user: typeof notSignedIn = aUser
    stubGateway({ 'GET /api/auth/user': () => user, 'GET /api/auth/agent': notSignedIn })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    sessionStorage.setItem('booking', 'half made')
    user = { body: { success: true, userId: 8, name: 'Bilal', phone: '+966501234568' } }
    focusTab()
    await waitFor(() => expect(identity()).toBe('user Bilal'))
    expect(sessionStorage.getItem('booking')).toBeNull()
  })

  it('that signed in an agent ends the user here, because a browser has one session', async () => {
    let isAgent = false
    stubGateway({
      'GET /api/auth/user': () => (isAgent ? notSignedIn : aUser),
      'GET /api/auth/agent': () => (isAgent ? anAgent : notSignedIn),
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    isAgent = true
    focusTab()
    await waitFor(() => expect(identity()).toBe('agent'))
  })

  it('changes nothing here without a network', async () => {
    let isLineUp = true
    const calls = stubGateway({
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    const before = calls.length
    isLineUp = false
    focusTab()
    // One recheck at a time.
    await waitFor(() => {
      focusTab()
      expect(calls.length).toBe(before + 2)
    })
    expect(identity()).toBe('user Amina')
  })
})

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const cached = () => screen.getByTestId('cached').textContent

describe('another person signing in on a tab', () => {
  it('finds no orders and no draft of the previous one after signing in here', async () => {
    let user: typeof notSignedIn = aUser
    stubGateway({
      'GET /api/auth/user': () => user,
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    await press('read orders')
    sessionStorage.setItem('booking', 'half made')
    user = notSignedIn
    focusTab()
    await waitFor(() => expect(identity()).toBe('null'))
    await press('sign in Bilal')
    await waitFor(() => expect(identity()).toBe('user Bilal'))
    expect(cached()).toBe('undefined')
    expect(Object.keys(sessionStorage)).toEqual(['tabOwner'])
  })

  it('finds no data of the previous one after signing in on another tab', async () => {
    let user: typeof notSignedIn = aUser
    stubGateway({ 'GET /api/auth/user': () => user, 'GET /api/auth/agent': notSignedIn })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    await press('read orders')
    user = { body: { success: true, userId: 8, name: 'Bilal', phone: '+966501234568' } }
    focusTab()
    await waitFor(() => expect(identity()).toBe('user Bilal'))
    expect(cached()).toBe('undefined')
  })

  it('keeps the cache when it is the same person', async () => {
    stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    await press('read orders')
    await press('sign in Amina')
    await press('rename')
    await waitFor(() => expect(identity()).toBe('user Amina Noor'))
    expect(cached()).toBe('of the one before')
  })
})

describe('the token of an agent', () => {
  it('is removed when a user signs in here', async () => {
    stubGateway({
      'GET /api/auth/user': notSignedIn,
      'GET /api/auth/agent': anAgent,
    })
    show()
    await waitFor(() => expect(identity()).toBe('agent'))
    localStorage.setItem('agentToken', 't')
    await press('sign in Bilal')
    await waitFor(() => expect(identity()).toBe('user Bilal'))
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('is removed when a user signed in on another tab', async () => {
    let isUser = false
    stubGateway({
      'GET /api/auth/user': () => (isUser ? aUser : notSignedIn),
      'GET /api/auth/agent': () => (isUser ? notSignedIn : anAgent),
    })
    show()
    await waitFor(() => expect(identity()).toBe('agent'))
    localStorage.setItem('agentToken', 't')
    isUser = true
    focusTab()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('is removed at start-up when a user is signed in and the agent check fails', async () => {
    localStorage.setItem('agentToken', 't')
    stubGateway({ 'GET /api/auth/user': aUser })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    expect(localStorage.getItem('agentToken')).toBeNull()
  })
})

describe('a check that is older than a sign-in', () => {
  it('does not undo it: recheck on focus', async () => {
    const late = Promise.withResolvers<typeof notSignedIn>()
    let user: () => typeof notSignedIn | Promise<typeof notSignedIn> = () => aUser
    const calls = stubGateway({
      'GET /api/auth/user': () => user(),
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    user = () => late.promise
    const before = calls.length
    focusTab()
    await waitFor(() => expect(calls.length).toBe(before + 1))
    await press('sign in Bilal')
    await waitFor(() => expect(identity()).toBe('user Bilal'))
    await act(async () => late.resolve(aUser))
    // One recheck at a time: wait for the late one.
    user = () => ({ body: { success: true, userId: 8, name: 'Bilal again', phone: bilal.phone } })
    await waitFor(() => {
      focusTab()
      expect(identity()).not.toBe('user Bilal')
    })
    expect(identity()).toBe('user Bilal again')
  })

  it('does not undo it: start-up check', async () => {
    const late = Promise.withResolvers<{ body: unknown }>()
    stubGateway({
      'GET /api/auth/user': () => late.promise,
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await press('sign in Bilal')
    await waitFor(() => expect(identity()).toBe('user Bilal'))
    await act(async () => late.resolve({ body: { success: false } }))
    expect(identity()).toBe('user Bilal')
  })
})

describe('logout', () => {
  it('clears everything and removes the token', async () => {
    localStorage.setItem('agentToken', 't')
    stubGateway({
      'GET /api/auth/user': notSignedIn,
      'GET /api/auth/agent': anAgent,
      'POST /api/auth/logout': { body: { success: true } },
    })
    show()
    await waitFor(() => expect(identity()).toBe('agent'))
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(identity()).toBe('null'))
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('that fails changes nothing here and is logged', async () => {
    expectConsole(/logout.*could not connect/i)
    localStorage.setItem('agentToken', 't')
    stubGateway({ 'GET /api/auth/user': notSignedIn, 'GET /api/auth/agent': anAgent })
    show()
    await waitFor(() => expect(identity()).toBe('agent'))
    sessionStorage.setItem('kept', 'still here')
    await press('logout')
    await waitFor(() => expect(screen.getByTestId('logout').textContent).toBe('false'))
    expect(identity()).toBe('agent')
    expect(localStorage.getItem('agentToken')).not.toBeNull()
    expect(findTabOwner()).toEqual({ role: 'agent', id: 3 })
    expect(screen.getByTestId('error').textContent).toBe('none')
  })
})

describe('the push messages of this browser', () => {
  let done: string[]

  beforeEach(() => {
    done = []
    const pushManager = {
      getSubscription: async () => ({ unsubscribe: async () => void done.push('ended') }),
    }
    const getNotifications = async () => [{ close: () => void done.push('closed') }]
    const serviceWorker = { getRegistration: async () => ({ pushManager, getNotifications }) }
    stubNavigator({ serviceWorker })
    vi.stubGlobal('Notification', { permission: 'granted' })
  })

  it('end with a log-out, and those on screen are closed', async () => {
    stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': notSignedIn,
      'POST /api/auth/logout': { body: { success: true } },
    })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    await press('logout')
    await waitFor(() => expect(done).toEqual(['closed', 'ended']))
  })

  it('end when no user is signed in, also where no orders are kept', async () => {
    stubGateway(noSession)
    show()
    await waitFor(() => expect(done).toEqual(['closed', 'ended']))
  })

  it('stay when a user is signed in, also where the storage refuses orders', async () => {
    const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    stubGateway({ 'GET /api/auth/user': aUser, 'GET /api/auth/agent': notSignedIn })
    show()
    await waitFor(() => expect(identity()).toBe('user Amina'))
    refused.mockRestore()
    await vi.dynamicImportSettled()
    expect(done).toEqual([])
  })
})

describe('the orders kept on the phone', () => {
  const paid = orderOf()
  const kept = () => readKeptOrders()?.orders.length

  beforeEach(async () => {
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve(paid), (order) => [order])
  })

  const start = (user: StubbedRoute, agent: StubbedRoute = notSignedIn) => {
    stubGateway({ 'GET /api/auth/user': user, 'GET /api/auth/agent': agent })
    show()
  }
  const identity = (text: RegExp) =>
    waitFor(() => expect(screen.getByTestId('identity').textContent).toMatch(text))

  it('stay when the same user is signed in', async () => {
    start(aUser)
    await identity(/^user Amina/)
    expect(kept()).toBe(1)
  })

  it.each([
    ['answers 401', notSignedIn],
    ['says so in the answer to a probe', { body: { success: false } }],
  ])('are wiped when no user is signed in and the server %s', async (_, answer) => {
    start(answer)
    await identity(/^null/)
    expect(kept()).toBeUndefined()
  })

  it.each([
    ['cannot be reached', () => undefined],
    ['fails', problem(503, 'DOWN', 'Later')],
  ])('stay when the server %s', async (_, answer) => {
    start(answer, answer)
    await identity(/^null/)
    expect(kept()).toBe(1)
  })

  it('are wiped when another user or an agent is signed in', async () => {
    start({ body: { success: true, userId: 8, name: 'Bilal', phone: '+966501234568' } })
    await identity(/^user Bilal/)
    expect(readKeptOrders()).toEqual(emptyKeptOrders(8))
  })

  it('are wiped when an agent is signed in, also while the user check fails', async () => {
    start(problem(503, 'DOWN', 'Later'), anAgent)
    await identity(/^agent/)
    expect(kept()).toBeUndefined()
  })

  it('are wiped by the 401 of any call', async () => {
    let user: StubResponse = aUser
    stubGateway({
      'GET /api/auth/user': () => user,
      'GET /api/auth/agent': notSignedIn,
      'GET /api/orders/42': notSignedIn,
    })
    show()
    await identity(/^user Amina/)
    user = notSignedIn
    await act(() => call(readOrder, { params: { id: '42' } }).catch(() => undefined))
    await identity(/^null/)
    expect(kept()).toBeUndefined()
  })

  it('are wiped by a log-out, and stay when it fails', async () => {
    expectConsole(/logout/)
    let isLineUp = false
    stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': notSignedIn,
      'POST /api/auth/logout': () => (isLineUp ? { body: { success: true } } : undefined),
    })
    show()
    await identity(/^user Amina/)
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(screen.getByTestId('logout').textContent).toBe('false'))
    expect(kept()).toBe(1)
    isLineUp = true
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(screen.getByTestId('logout').textContent).toBe('true'))
    expect(kept()).toBeUndefined()
  })
})

describe('an unknown session', () => {
  it('is checked again when the network returns', async () => {
    let isLineUp = false
    stubGateway({
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await waitFor(() => expect(screen.getByTestId('error').textContent).toMatch(/could not connect/i))
    isLineUp = true
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(identity()).toBe('user Amina'))
  })

  it('is checked again when the network returns while one of the calls still runs', async () => {
    let isLineUp = false
    const calls = stubGateway({
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
      'GET /api/auth/agent': () => (isLineUp ? notSignedIn : new Promise(() => {})),
    })
    show()
    await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(4))
    isLineUp = true
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(identity()).toBe('user Amina'))
  })

  it('becomes signed out when the server says so, without an error', async () => {
    localStorage.setItem('agentToken', 'stale')
    let answer: typeof notSignedIn | undefined
    stubGateway({ 'GET /api/auth/user': () => answer, 'GET /api/auth/agent': () => answer })
    show()
    await waitFor(() => expect(screen.getByTestId('known').textContent).toBe('false'))
    answer = notSignedIn
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(screen.getByTestId('known').textContent).toBe('true'))
    expect(identity()).toBe('null')
    expect(screen.getByTestId('error').textContent).toBe('none')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it.each([
    ['a user', aUser, 'user Amina'],
    ['no user', notSignedIn, 'null'],
  ])('keeps typed text when %s is found', async (_, found, expected) => {
    let isLineUp = false
    stubGateway({
      'GET /api/auth/user': () => (isLineUp ? found : undefined),
      'GET /api/auth/agent': notSignedIn,
    })
    show()
    await waitFor(() => expect(screen.getByTestId('known').textContent).toBe('false'))
    const field = screen.getByRole<HTMLInputElement>('textbox')
    await userEvent.type(field, 'Ami')
    isLineUp = true
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(screen.getByTestId('known').textContent).toBe('true'))
    expect(identity()).toBe(expected)
    expect(field.isConnected).toBe(true)
    expect(field.value).toBe('Ami')
  })
})

it('a changed name ends a check that is older', async () => {
  const late = Promise.withResolvers<StubResponse>()
  stubGateway({ 'GET /api/auth/user': () => late.promise, 'GET /api/auth/agent': notSignedIn })
  show()
  await press('sign in Amina')
  await press('rename')
  await act(async () => late.resolve({ body: { success: false } }))
  expect(identity()).toBe('user Amina Noor')
})
