// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '#client/platform/call.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { expectConsole } from '#test/kit/console-law.ts'
import { problem, renderRoom, stubGateway } from '#test/kit/room.tsx'
import { hasAgentToken, keepAgentToken } from './agent-token.ts'
import { SessionsProvider, useSessions } from './sessions.state.tsx'
import { findTabOwner, takeTab } from './tab-owner.ts'

const nobody = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
const aUser = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const anAgent = { body: { success: true, agentId: 3, name: null, phone: '+966500000101' } }

function Who() {
  const { state, isRestoring, restore, logout } = useSessions()
  return (
    <>
      <p data-testid="who">{isRestoring ? 'restoring' : `${state.role} ${state.user?.name ?? ''}`}</p>
      <p data-testid="error">{state.error ?? 'none'}</p>
      <p data-testid="told">{state.hasEnded ? 'ended' : 'nothing'}</p>
      <button type="button" onClick={restore}>
        {'restore'}
      </button>
      <button type="button" onClick={() => void logout(() => undefined)}>
        {'logout'}
      </button>
    </>
  )
}

const show = () =>
  renderRoom(
    <SessionsProvider>
      <Who />
    </SessionsProvider>,
  )
const who = () => screen.getByTestId('who').textContent?.trim()

const told = () => screen.getByTestId('told').textContent
const lookAgain = () => act(() => void window.dispatchEvent(new Event('focus')))

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('the start', () => {
  it('asks for a user and for an agent, and waits for both', async () => {
    let answerAgent = (_: typeof nobody) => {}
    const calls = stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': () =>
        new Promise<typeof nobody>((resolve) => {
          answerAgent = resolve
        }),
    })
    show()
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/auth/agent'))
    expect(who()).toBe('restoring')
    answerAgent(nobody)
    await waitFor(() => expect(who()).toBe('user Amina'))
  })

  it('finds nobody without calling that an error, and drops a stale token', async () => {
    keepAgentToken('stale')
    stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('null'))
    expect(screen.getByTestId('error').textContent).toBe('none')
    expect(hasAgentToken()).toBe(false)
  })

  it('keeps the token and records the failure when the server cannot be asked', async () => {
    keepAgentToken('maybe')
    stubGateway({ 'GET /api/auth/user': nobody })
    show()
    await waitFor(() => expect(who()).toBe('null'))
    expect(screen.getByTestId('error').textContent).toMatch(/could not connect/i)
    expect(hasAgentToken()).toBe(true)
  })

  it('restores an agent', async () => {
    stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': anAgent })
    show()
    await waitFor(() => expect(who()).toBe('agent'))
  })
})

describe('a session that ends meanwhile', () => {
  it('is noticed by the 401 of any call', async () => {
    let isSignedIn = true
    stubGateway({
      'GET /api/auth/user': () => (isSignedIn ? aUser : nobody),
      'GET /api/auth/agent': nobody,
      'GET /api/orders/1': nobody,
    })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    isSignedIn = false
    await expect(call(readOrder, { params: { id: '1' } })).rejects.toMatchObject({ status: 401 })
    await waitFor(() => expect(who()).toBe('null'))
  })

  it('does not end because the line broke while it was being asked for', async () => {
    let isLineUp = true
    const calls = stubGateway({
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
      'GET /api/auth/agent': nobody,
      'GET /api/orders/1': nobody,
    })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    const before = calls.length
    isLineUp = false
    await expect(call(readOrder, { params: { id: '1' } })).rejects.toMatchObject({ status: 401 })
    await waitFor(() => expect(calls.length).toBe(before + 2))
    expect(who()).toBe('user Amina')
  })
})

describe('a session that has ended while nobody looked', () => {
  it('is told after a reload of the tab it was held on', async () => {
    takeTab({ role: 'user', id: 7 })
    stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('null'))
    expect(told()).toBe('ended')
  })

  it('is not told to somebody new, nor while the server cannot be asked', async () => {
    stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody })
    const first = show()
    await waitFor(() => expect(who()).toBe('null'))
    expect(told()).toBe('nothing')
    first.unmount()
    takeTab({ role: 'user', id: 7 })
    stubGateway({ 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('null'))
    expect(told()).toBe('nothing')
  })

  it('is not told after a logout', async () => {
    stubGateway({
      'GET /api/auth/user': aUser,
      'GET /api/auth/agent': nobody,
      'POST /api/auth/logout': { body: { success: true } },
    })
    const first = show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    expect(findTabOwner()).toEqual({ role: 'user', id: 7 })
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(who()).toBe('null'))
    first.unmount()
    stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('null'))
    expect(told()).toBe('nothing')
  })
})

describe('another tab', () => {
  it('that logged out is noticed when somebody looks at this one again, and what was typed here stays', async () => {
    let user: typeof nobody = aUser
    stubGateway({ 'GET /api/auth/user': () => user, 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    sessionStorage.setItem('booking', 'half made')
    user = nobody
    lookAgain()
    await waitFor(() => expect(who()).toBe('null'))
    expect(told()).toBe('ended')
    expect(sessionStorage.getItem('booking')).toBe('half made')
    user = aUser
    lookAgain()
    await waitFor(() => expect(who()).toBe('user Amina'))
    expect(told()).toBe('nothing')
    expect(sessionStorage.getItem('booking')).toBe('half made')
  })

  it('that signed in somebody else leaves that person nothing of the one before', async () => {
    let user: typeof nobody = aUser
    stubGateway({ 'GET /api/auth/user': () => user, 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    sessionStorage.setItem('booking', 'half made')
    user = { body: { success: true, userId: 8, name: 'Bilal', phone: '+966501234568' } }
    lookAgain()
    await waitFor(() => expect(who()).toBe('user Bilal'))
    expect(sessionStorage.getItem('booking')).toBeNull()
  })

  it('that signed in an agent ends the user here, because a browser has one session', async () => {
    let isAgent = false
    stubGateway({
      'GET /api/auth/user': () => (isAgent ? nobody : aUser),
      'GET /api/auth/agent': () => (isAgent ? anAgent : nobody),
    })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    isAgent = true
    lookAgain()
    await waitFor(() => expect(who()).toBe('agent'))
  })

  it('changes nothing here while the line is broken', async () => {
    let isLineUp = true
    const calls = stubGateway({
      'GET /api/auth/user': () => (isLineUp ? aUser : undefined),
      'GET /api/auth/agent': nobody,
    })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    const before = calls.length
    isLineUp = false
    lookAgain()
    // A second look begins only when the first is over.
    await waitFor(() => {
      lookAgain()
      expect(calls.length).toBe(before + 2)
    })
    expect(who()).toBe('user Amina')
  })
})

describe('logout', () => {
  it('clears everything and removes the token', async () => {
    keepAgentToken('t')
    stubGateway({
      'GET /api/auth/user': nobody,
      'GET /api/auth/agent': anAgent,
      'POST /api/auth/logout': { body: { success: true } },
    })
    show()
    await waitFor(() => expect(who()).toBe('agent'))
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(who()).toBe('null'))
    expect(hasAgentToken()).toBe(false)
  })

  it('clears everything here and only logs it when the server does not answer', async () => {
    expectConsole(/logout.*could not connect/i)
    stubGateway({ 'GET /api/auth/user': aUser, 'GET /api/auth/agent': nobody })
    show()
    await waitFor(() => expect(who()).toBe('user Amina'))
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await waitFor(() => expect(who()).toBe('null'))
    expect(screen.getByTestId('error').textContent).toBe('none')
  })
})
