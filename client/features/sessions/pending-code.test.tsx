// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/render-page.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { AuthPage } from './auth.page.tsx'
import { findPendingCode, type PendingCode, storePendingCode } from './pending-code.ts'
import { SessionsProvider } from './sessions.state.tsx'

const notSignedIn = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
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

describe('a pending code', () => {
  it('is found on the page it was requested on, until it expires', () => {
    storePendingCode(pending)
    expect(findPendingCode('/auth', now)).toEqual(pending)
    expect(findPendingCode('/agent-auth', now)).toBeUndefined()
    expect(findPendingCode('/auth', pending.times.expiresAt)).toBeUndefined()
    storePendingCode({ ...pending, role: 'agent' })
    expect(findPendingCode('/agent-auth', now)?.role).toBe('agent')
  })

  it.each(['', 'null', '{}', '{"role":"user","times":{}}', 'not json'])('is not read from %j', (kept) => {
    sessionStorage.setItem('pendingCode', kept)
    expect(findPendingCode('/auth', now)).toBeUndefined()
  })

  it('reopens its dialog after a reload, with the number and the remaining seconds', async () => {
    storePendingCode(pending)
    const signedIn = { body: { success: true, user: { id: 7, name: 'Amina', phone: pending.phone } } }
    const calls = stubGateway({
      'GET /api/auth/user': notSignedIn,
      'GET /api/auth/agent': notSignedIn,
      'POST /api/auth/verify-otp': signedIn,
    })
    renderPage(
      <SessionsProvider>
        <AuthPage isDemo={false} />
      </SessionsProvider>,
    )
    const dialog = within(await screen.findByRole('dialog', { name: t('code.title') }))
    expect(dialog.getByText(pending.phone)).toBeTruthy()
    const seconds = Number(/0:(\d\d)/.exec(dialog.getByText(/another code/i).textContent ?? '')?.[1])
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

  it('is dropped when the dialog is closed, and the number stays in the field', async () => {
    storePendingCode(pending)
    stubGateway({ 'GET /api/auth/user': notSignedIn, 'GET /api/auth/agent': notSignedIn })
    renderPage(
      <SessionsProvider>
        <AuthPage isDemo={false} />
      </SessionsProvider>,
    )
    await userEvent.click(await screen.findByRole('button', { name: t('code.changeNumber') }))
    await waitFor(() => expect(sessionStorage.getItem('pendingCode')).toBeNull())
    expect(screen.getByLabelText(t('phone'))).toHaveProperty('value', pending.phone)
  })

  it('of a user opens no dialog on the agents’ sign-in page', async () => {
    storePendingCode(pending)
    window.history.replaceState(null, '', '/agent-auth')
    const calls = stubGateway({ 'GET /api/auth/user': notSignedIn, 'GET /api/auth/agent': notSignedIn })
    renderPage(
      <SessionsProvider>
        <AgentAuthPage isDemo={false} />
      </SessionsProvider>,
    )
    await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
