// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '#client/platform/call.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { expectConsole } from '#test/kit/console-law.ts'
import { problem, renderRoom, stubGateway } from '#test/kit/room.tsx'
import { hasAgentToken, keepAgentToken } from './agent-token.ts'
import { SessionsProvider, useSessions } from './sessions.state.tsx'

const nobody = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
const aUser = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const anAgent = { body: { success: true, agentId: 3, name: null, phone: '+966500000101' } }

function Who() {
  const { state, isRestoring, restore, logout } = useSessions()
  return (
    <>
      <p data-testid="who">{isRestoring ? 'restoring' : `${state.role} ${state.user?.name ?? ''}`}</p>
      <p data-testid="error">{state.error ?? 'none'}</p>
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

beforeEach(() => localStorage.clear())

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
