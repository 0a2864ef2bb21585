// @vitest-environment jsdom
import { useQueryClient } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLayoutEffect, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readShift } from '#client/entities/handover/shift.ts'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { emptyKeptOrders, ownKeptOrders, readKeptOrders } from '#client/entities/order/kept-orders.ts'
import { call } from '#client/platform/call.ts'
import { waits } from '#client/platform/waits.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import {
  notSignedIn,
  problem,
  renderPage,
  type StubbedRoute,
  type StubResponse,
  stubGateway,
  stubNavigator,
} from '#test/kit/client/render-page.tsx'
import { sessionQuery } from './session.query.ts'
import { emptySession } from './session.rules.ts'
import { endSession, renamed, signedIn, signedOut, useSession, useSessionChecks } from './session.ts'
import { claimTab, findTabOwner } from './tab-owner.ts'

const aUser = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const another = { body: { success: true, userId: 8, name: 'Bilal', phone: '+966501234568' } }
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

/** Opens the page of a browser whose start-up calls are answered like that. @returns all calls. */
function start(
  user: StubbedRoute,
  agent: StubbedRoute = notSignedIn,
  others: Readonly<Record<string, StubbedRoute>> = {},
) {
  const calls = stubGateway({ 'GET /api/auth/user': user, 'GET /api/auth/agent': agent, ...others })
  renderPage(<IdentityView />)
  return calls
}
const identity = () => screen.getByTestId('identity').textContent?.trim()
const becomes = (text: string) => waitFor(() => expect(identity()).toBe(text))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const told = () => screen.getByTestId('told').textContent
const focusTab = () => act(() => void window.dispatchEvent(new Event('focus')))
/** The time between two checks has passed. */
const focusTabLater = () => {
  vi.setSystemTime(Date.now() + waits.refocus)
  focusTab()
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it('is the same in all parts of the screen, also in one that appears while the others are yet to follow', async () => {
  stubGateway({ 'GET /api/auth/user': notSignedIn, 'GET /api/auth/agent': notSignedIn })
  const shown: string[][] = []
  function Part() {
    return <i data-testid="part">{String(useSession().user?.id)}</i>
  }
  function Screen() {
    const client = useQueryClient()
    const [hasMore, setHasMore] = useState(false)
    useLayoutEffect(() => {
      shown.push(screen.getAllByTestId('part').map(({ textContent }) => textContent))
    })
    const signInAndOpen = () => {
      client.setQueryData(sessionQuery.queryKey, { ...emptySession, user: amina })
      setHasMore(true)
    }
    return (
      <>
        <Part />
        {hasMore ? <Part /> : null}
        <button type="button" onClick={signInAndOpen}>
          {'sign in and open'}
        </button>
      </>
    )
  }
  renderPage(<Screen />)
  await press('sign in and open')
  await waitFor(() =>
    expect(screen.getAllByTestId('part').map((part) => part.textContent)).toEqual(['7', '7']),
  )
  expect(shown.filter((parts) => new Set(parts).size > 1)).toEqual([])
})

describe('the start', () => {
  it('requests user and agent sessions, and waits for both', async () => {
    let answerAgent = (_: typeof notSignedIn) => {}
    const calls = start(
      aUser,
      () =>
        new Promise<typeof notSignedIn>((resolve) => {
          answerAgent = resolve
        }),
    )
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/auth/agent'))
    expect(identity()).toBe('restoring')
    answerAgent(notSignedIn)
    await becomes('user Amina')
  })

  it('records no error without a session, and drops a stale token', async () => {
    localStorage.setItem('agentToken', 'stale')
    start(notSignedIn)
    await becomes('null')
    expect(screen.getByTestId('error').textContent).toBe('none')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('keeps the token and records the failure when the server is unreachable', async () => {
    localStorage.setItem('agentToken', 'maybe')
    start(notSignedIn, () => undefined)
    await becomes('null')
    expect(screen.getByTestId('error').textContent).toMatch(/could not connect/i)
    expect(localStorage.getItem('agentToken')).not.toBeNull()
  })

  it('sends probe, so that a visitor’s console shows no 401', async () => {
    const calls = start({ body: { success: false } }, { body: { success: false } })
    await becomes('null')
    expect(screen.getByTestId('error').textContent).toBe('none')
    expect(new Set(calls.map(({ query }) => query.probe))).toEqual(new Set(['1']))
  })
})

describe('a session that ends while the page is open', () => {
  it('is kept when the check fails without a network', async () => {
    let isLineUp = true
    const calls = start(() => (isLineUp ? aUser : undefined), notSignedIn, {
      'GET /api/orders/1': notSignedIn,
    })
    await becomes('user Amina')
    const before = calls.length
    isLineUp = false
    await expect(call(readOrder, { params: { id: '1' } })).rejects.toMatchObject({ status: 401 })
    await waitFor(() => expect(calls.length).toBe(before + 2))
    expect(identity()).toBe('user Amina')
  })
})

describe('what is kept of an agent’s bags', () => {
  const isKept = () => localStorage.getItem('keptBags') !== null
  const keep = () => localStorage.setItem('keptBags', '{}')

  it('goes at the first 401, also when the check finds no network, and at log-out with the shift', async () => {
    const since = String(Date.now() - 5)
    localStorage.setItem('scanAgent', '3')
    localStorage.setItem('agentSince', since)
    let isLineUp = true
    start(notSignedIn, () => (isLineUp ? anAgent : undefined), {
      'GET /api/orders/1': notSignedIn,
      'POST /api/auth/logout': { body: { success: true } },
    })
    await becomes('agent')
    // The same agent: the shift goes on.
    expect(readShift(3)).toEqual({ since: Number(since), received: 0, notAccepted: 0 })
    keep()
    isLineUp = false
    await expect(call(readOrder, { params: { id: '1' } })).rejects.toMatchObject({ status: 401 })
    expect(isKept()).toBe(false)
    expect(identity()).toBe('agent')
    keep()
    await press('logout')
    await becomes('null')
    expect([isKept(), readShift(3)]).toEqual([false, undefined])
  })

  it('is of a shift that begins anew for another agent, and after a clock was set back', async () => {
    for (const [agent, since] of [
      ['4', Date.now() - 5],
      ['3', Date.now() + 60_000],
    ] as const) {
      localStorage.setItem('scanAgent', agent)
      localStorage.setItem('agentSince', String(since))
      start(notSignedIn, anAgent)
      await becomes('agent')
      expect(readShift(3)?.since).not.toBe(since)
      expect(readShift(3)).toMatchObject({ received: 0 })
      cleanup()
    }
  })

  it('goes at the next start after twelve hours, also without a network', () => {
    localStorage.setItem('scanAgent', '3')
    for (const [hours, isThere] of [
      [11.9, true],
      [12, false],
    ] as const) {
      keep()
      localStorage.setItem('agentSince', String(Date.now() - hours * 3_600_000))
      const noAnswer = () => undefined
      start(noAnswer, noAnswer)
      expect(isKept()).toBe(isThere)
      cleanup()
    }
  })

  it('goes when a user signs in on this browser', async () => {
    keep()
    start(aUser)
    await becomes('user Amina')
    expect(isKept()).toBe(false)
  })
})

describe('a session that ended while the tab was closed or hidden', () => {
  it('is recorded after a reload of its tab', async () => {
    claimTab({ role: 'user', id: 7 })
    start(notSignedIn)
    await becomes('null')
    expect(told()).toBe('ended')
  })

  it('is not recorded for a new visitor, nor while the server is unreachable', async () => {
    start(notSignedIn)
    await becomes('null')
    expect(told()).toBe('nothing')
    cleanup()
    claimTab({ role: 'user', id: 7 })
    start(() => undefined)
    await becomes('null')
    expect(told()).toBe('nothing')
  })

  it('is not recorded after a logout', async () => {
    start(aUser, notSignedIn, { 'POST /api/auth/logout': { body: { success: true } } })
    await becomes('user Amina')
    expect(findTabOwner()).toEqual({ role: 'user', id: 7 })
    await press('logout')
    await becomes('null')
    cleanup()
    start(notSignedIn)
    await becomes('null')
    expect(told()).toBe('nothing')
  })
})

describe('another tab', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('is asked about once however often the window is focused within some seconds', async () => {
    const calls = start(aUser)
    await becomes('user Amina')
    const checks = () => calls.filter(({ path }) => path === '/api/auth/user').length
    const before = checks()
    for (const _ of Array(10)) focusTab()
    await waitFor(() => expect(checks()).toBe(before + 1))
    for (const _ of Array(10)) focusTab()
    focusTabLater()
    await waitFor(() => expect(checks()).toBe(before + 2))
  })

  it('that logged out is detected on focus, and typed text stays', async () => {
    let user: typeof notSignedIn = aUser
    start(() => user)
    await becomes('user Amina')
    sessionStorage.setItem('booking', 'half made')
    user = notSignedIn
    focusTab()
    await becomes('null')
    expect(told()).toBe('ended')
    expect(sessionStorage.getItem('booking')).toBe('half made')
    user = aUser
    focusTabLater()
    await becomes('user Amina')
    expect(told()).toBe('nothing')
    expect(sessionStorage.getItem('booking')).toBe('half made')
  })

  it('that signed in another user clears the previous user’s data', async () => {
    let user: typeof notSignedIn = aUser
    start(() => user)
    await becomes('user Amina')
    await press('read orders')
    sessionStorage.setItem('booking', 'half made')
    user = another
    focusTab()
    await becomes('user Bilal')
    expect(sessionStorage.getItem('booking')).toBeNull()
    expect(cached()).toBe('undefined')
  })

  it('that signed in an agent ends the user here, because a browser has one session', async () => {
    let isAgent = false
    start(
      () => (isAgent ? notSignedIn : aUser),
      () => (isAgent ? anAgent : notSignedIn),
    )
    await becomes('user Amina')
    isAgent = true
    focusTab()
    await becomes('agent')
  })

  it.each([
    ['logged out', 'a user', 'user Amina', [aUser, notSignedIn], 'keptOrders', undefined],
    ['signed in another user', 'a user', 'user Amina', [aUser, notSignedIn], 'keptOrders', '{"userId":8}'],
    ['logged out', 'an agent', 'agent', [notSignedIn, anAgent], 'scanAgent', undefined],
  ] as const)('that %s: a page of %s shows nothing until the server has answered', async (...row) => {
    const [, , shown, [user, agent], key, value] = row
    let isLineUp = true
    const hangs = () => new Promise<StubResponse>(() => {})
    start(
      () => (isLineUp ? user : hangs()),
      () => (isLineUp ? agent : hangs()),
    )
    await becomes(shown)
    await press('read orders')
    isLineUp = false
    const change = (stored: string | undefined) => {
      if (stored === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, stored)
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key })))
    }
    // A tab of another release writes the same person.
    change(key === 'scanAgent' ? '3' : '{"version":99,"userId":7}')
    expect(identity()).toBe(shown)
    change(value)
    await becomes('restoring')
    expect(cached()).toBe('undefined')
  })

  it('changes nothing here without a network', async () => {
    let isLineUp = true
    const calls = start(() => (isLineUp ? aUser : undefined))
    await becomes('user Amina')
    const before = calls.length
    isLineUp = false
    focusTab()
    await waitFor(() => expect(calls.length).toBe(before + 1))
    // One recheck at a time.
    await waitFor(() => {
      focusTabLater()
      expect(calls.length).toBe(before + 2)
    })
    expect(identity()).toBe('user Amina')
  })
})

const cached = () => screen.getByTestId('cached').textContent

describe('another person signing in on a tab', () => {
  it('finds no orders and no draft of the previous one after signing in here', async () => {
    let user: typeof notSignedIn = aUser
    start(() => user)
    await becomes('user Amina')
    await press('read orders')
    sessionStorage.setItem('booking', 'half made')
    user = notSignedIn
    focusTab()
    await becomes('null')
    await press('sign in Bilal')
    await becomes('user Bilal')
    expect(cached()).toBe('undefined')
    expect(Object.keys(sessionStorage)).toEqual(['tabOwner'])
  })

  it('keeps the cache when it is the same person', async () => {
    start(aUser)
    await becomes('user Amina')
    await press('read orders')
    await press('sign in Amina')
    await press('rename')
    await becomes('user Amina Noor')
    expect(cached()).toBe('of the one before')
  })
})

describe('the token of an agent', () => {
  it('is removed when a user signs in here', async () => {
    start(notSignedIn, anAgent)
    await becomes('agent')
    localStorage.setItem('agentToken', 't')
    await press('sign in Bilal')
    await becomes('user Bilal')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('is removed when a user signed in on another tab', async () => {
    let isUser = false
    start(
      () => (isUser ? aUser : notSignedIn),
      () => (isUser ? notSignedIn : anAgent),
    )
    await becomes('agent')
    localStorage.setItem('agentToken', 't')
    isUser = true
    focusTab()
    await becomes('user Amina')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('is removed at start-up when a user is signed in and the agent check fails', async () => {
    localStorage.setItem('agentToken', 't')
    start(aUser, () => undefined)
    await becomes('user Amina')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })
})

describe('a check that is older than a sign-in', () => {
  it('does not undo it: recheck on focus', async () => {
    const late = Promise.withResolvers<typeof notSignedIn>()
    let user: () => typeof notSignedIn | Promise<typeof notSignedIn> = () => aUser
    const calls = start(() => user())
    await becomes('user Amina')
    user = () => late.promise
    const before = calls.length
    focusTab()
    await waitFor(() => expect(calls.length).toBe(before + 1))
    await press('sign in Bilal')
    await becomes('user Bilal')
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
    start(() => late.promise)
    await press('sign in Bilal')
    await becomes('user Bilal')
    await act(async () => late.resolve({ body: { success: false } }))
    expect(identity()).toBe('user Bilal')
  })
})

describe('logout', () => {
  it('clears everything and removes the token', async () => {
    localStorage.setItem('agentToken', 't')
    start(notSignedIn, anAgent, { 'POST /api/auth/logout': { body: { success: true } } })
    await becomes('agent')
    await press('logout')
    await becomes('null')
    expect(localStorage.getItem('agentToken')).toBeNull()
  })

  it('that fails changes nothing here and is logged', async () => {
    expectConsole(/logout.*could not connect/i)
    localStorage.setItem('agentToken', 't')
    start(notSignedIn, anAgent)
    await becomes('agent')
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
    start(aUser, notSignedIn, { 'POST /api/auth/logout': { body: { success: true } } })
    await becomes('user Amina')
    await press('logout')
    await waitFor(() => expect(done).toEqual(['closed', 'ended']))
  })

  it('end when no user is signed in, also where no orders are kept', async () => {
    start(notSignedIn)
    await waitFor(() => expect(done).toEqual(['closed', 'ended']))
  })

  it('stay when a user is signed in, also where the storage refuses orders', async () => {
    const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    start(aUser)
    await becomes('user Amina')
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

  it.each([
    ['answers 401', notSignedIn],
    ['says so in the answer to a probe', { body: { success: false } }],
  ])('are wiped when no user is signed in and the server %s', async (_, answer) => {
    start(answer)
    await becomes('null')
    expect(kept()).toBeUndefined()
  })

  it.each([
    ['cannot be reached', () => undefined],
    ['fails', problem(503, 'DOWN', 'Later')],
  ])('stay when the server %s', async (_, answer) => {
    start(answer, answer)
    await becomes('null')
    expect(kept()).toBe(1)
  })

  it('are wiped when another user or an agent is signed in', async () => {
    start(another)
    await becomes('user Bilal')
    expect(readKeptOrders()).toEqual(emptyKeptOrders(8))
  })

  it('are wiped when an agent is signed in, also while the user check fails', async () => {
    start(problem(503, 'DOWN', 'Later'), anAgent)
    await becomes('agent')
    expect(kept()).toBeUndefined()
  })

  it('are wiped by the 401 of any call', async () => {
    let user: StubResponse = aUser
    start(() => user, notSignedIn, { 'GET /api/orders/42': notSignedIn })
    await becomes('user Amina')
    user = notSignedIn
    await act(() => call(readOrder, { params: { id: '42' } }).catch(() => undefined))
    await becomes('null')
    expect(kept()).toBeUndefined()
  })

  it('are wiped by a log-out, and stay when it fails', async () => {
    expectConsole(/logout/)
    let isLineUp = false
    start(aUser, notSignedIn, {
      'POST /api/auth/logout': () => (isLineUp ? { body: { success: true } } : undefined),
    })
    await becomes('user Amina')
    await press('logout')
    await waitFor(() => expect(screen.getByTestId('logout').textContent).toBe('false'))
    expect(kept()).toBe(1)
    isLineUp = true
    await press('logout')
    await waitFor(() => expect(screen.getByTestId('logout').textContent).toBe('true'))
    expect(kept()).toBeUndefined()
  })
})

describe('an unknown session', () => {
  it('is checked again when the network returns', async () => {
    let isLineUp = false
    start(() => (isLineUp ? aUser : undefined))
    await waitFor(() => expect(screen.getByTestId('error').textContent).toMatch(/could not connect/i))
    isLineUp = true
    act(() => void window.dispatchEvent(new Event('online')))
    await becomes('user Amina')
  })

  it('is checked again when the network returns while one of the calls still runs', async () => {
    let isLineUp = false
    const calls = start(
      () => (isLineUp ? aUser : undefined),
      () => (isLineUp ? notSignedIn : new Promise(() => {})),
    )
    await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(4))
    isLineUp = true
    act(() => void window.dispatchEvent(new Event('online')))
    await becomes('user Amina')
  })

  it('becomes signed out when the server says so, without an error', async () => {
    localStorage.setItem('agentToken', 'stale')
    let answer: typeof notSignedIn | undefined
    start(
      () => answer,
      () => answer,
    )
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
    start(() => (isLineUp ? found : undefined))
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
  start(() => late.promise)
  await press('sign in Amina')
  await press('rename')
  await act(async () => late.resolve({ body: { success: false } }))
  expect(identity()).toBe('user Amina Noor')
})
