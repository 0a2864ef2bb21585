// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { problem, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { AuthPage } from './auth.page.tsx'
import { findPendingCode, keepPendingCode, type PendingCode } from './pending-code.ts'
import { SessionsProvider } from './sessions.state.tsx'

const nobody = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
const t = (key: string, values?: Record<string, unknown>) => textOf('sessions', key, values)
const now = Date.now()
const pending: PendingCode = {
  role: 'user',
  phone: '+966501234567',
  name: 'Amina',
  mode: 'signup',
  times: { sentAt: now - 20_000, expiresAt: now + 280_000, resendAt: now + 40_000 },
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/auth')
})

describe('a code that is out', () => {
  it('is found again on the page it was asked for on, until it has run out', () => {
    keepPendingCode(pending)
    expect(findPendingCode('/auth', now)).toEqual(pending)
    expect(findPendingCode('/agent-auth', now)).toBeUndefined()
    expect(findPendingCode('/auth', pending.times.expiresAt)).toBeUndefined()
    keepPendingCode({ ...pending, role: 'agent' })
    expect(findPendingCode('/agent-auth', now)?.role).toBe('agent')
  })

  it.each(['', 'null', '{}', '{"role":"user","times":{}}', 'not json'])('is not made of %j', (kept) => {
    sessionStorage.setItem('pendingCode', kept)
    expect(findPendingCode('/auth', now)).toBeUndefined()
  })

  it('opens its dialog again after a reload, with the number and the seconds the server named', async () => {
    keepPendingCode(pending)
    const signedIn = { body: { success: true, user: { id: 7, name: 'Amina', phone: pending.phone } } }
    const calls = stubGateway({
      'GET /api/auth/user': nobody,
      'GET /api/auth/agent': nobody,
      'POST /api/auth/verify-otp': signedIn,
    })
    renderRoom(
      <SessionsProvider>
        <AuthPage isDemo={false} />
      </SessionsProvider>,
    )
    const dialog = within(await screen.findByRole('dialog', { name: t('code.title') }))
    expect(dialog.getByText(pending.phone)).toBeTruthy()
    const seconds = Number(/\d+/.exec(dialog.getByText(/another code/i).textContent ?? '')?.[0])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(40)
    await userEvent.type(dialog.getByLabelText(t('code.label')), '1234')
    const verify = dialog.queryByRole('button', { name: t('code.verify') })
    if (verify) await userEvent.click(verify)
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/api/auth/verify-otp')?.body).toEqual({
        phone: pending.phone,
        code: '1234',
        name: 'Amina',
      }),
    )
  })

  it('is forgotten when the dialog is closed to change the number, which stands in the field', async () => {
    keepPendingCode(pending)
    stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody })
    renderRoom(
      <SessionsProvider>
        <AuthPage isDemo={false} />
      </SessionsProvider>,
    )
    await userEvent.click(await screen.findByRole('button', { name: t('code.changeNumber') }))
    await waitFor(() => expect(sessionStorage.getItem('pendingCode')).toBeNull())
    expect(screen.getByLabelText(t('phone'))).toHaveProperty('value', pending.phone)
  })

  it('of a pilgrim opens nothing at the agents’ door', async () => {
    keepPendingCode(pending)
    window.history.replaceState(null, '', '/agent-auth')
    const calls = stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody })
    renderRoom(
      <SessionsProvider>
        <AgentAuthPage isDemo={false} />
      </SessionsProvider>,
    )
    await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
