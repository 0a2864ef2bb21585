// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noSession, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { AuthPage } from './auth.page.tsx'
import { type SignIn, startOf } from './sign-in.rules.ts'
import { readSignIn, storeSignIn } from './sign-in-draft.ts'

const t = (key: string, values?: Record<string, unknown>) => textOf('sessions', key, values)
const now = Date.now()
const pending: SignIn = {
  ...startOf('user'),
  phone: '+966501234567',
  name: 'Amina',
  mode: 'signup',
  code: {
    sentAt: now - 20_000,
    expiresAt: now + 280_000,
    resendAt: now + 40_000,
    isEarlier: true,
    isUsedUp: false,
    channel: 'sms',
    channels: ['sms'],
    nextChannelAt: now + 10_000,
  },
}

afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/auth')
})

it('what was typed before a code was asked for is there after a reload, sign-up among it', async () => {
  stubGateway(noSession)
  renderPage(<AuthPage />)
  await userEvent.click(screen.getByRole('radio', { name: t('mode.signup') }))
  await userEvent.type(screen.getByLabelText(t('name')), 'Amina')
  await userEvent.type(screen.getByLabelText(t('phone')), '050123')
  cleanup()
  renderPage(<AuthPage />)
  expect(screen.getByLabelText(t('name'))).toHaveProperty('value', 'Amina')
  expect(screen.getByLabelText(t('phone'))).toHaveProperty('value', '050123')
})

describe('a stored sign-in', () => {
  it('is that of its page', () => {
    storeSignIn(pending)
    expect(readSignIn('user')).toEqual(pending)
    expect(readSignIn('agent')).toEqual(startOf('agent'))
  })

  it('is gone when there is nothing to go on with', () => {
    storeSignIn(pending)
    storeSignIn(startOf('user'))
    expect(sessionStorage.length).toBe(0)
  })

  it.each(['', 'null', '{}', '{"version":0,"signIn":{}}', 'not json'])('is not read from %j', (kept) => {
    sessionStorage.setItem('signIn', kept)
    expect(readSignIn('user')).toEqual(startOf('user'))
  })

  it('reopens its dialog after a reload, with the number and the remaining seconds', async () => {
    storeSignIn(pending)
    const signedIn = { body: { success: true, user: { id: 7, name: 'Amina', phone: pending.phone } } }
    const calls = stubGateway({
      ...noSession,
      'POST /api/auth/verify-otp': signedIn,
    })
    renderPage(<AuthPage />)
    const dialog = within(await screen.findByRole('dialog', { name: t('code.title') }))
    expect(dialog.getByText(pending.phone)).toBeTruthy()
    expect(dialog.getByText(/another code/i).textContent).toContain('0:40')
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

  it('loses its code when the dialog is closed, and the number stays in the field', async () => {
    storeSignIn(pending)
    stubGateway(noSession)
    renderPage(<AuthPage />)
    await userEvent.click(await screen.findByRole('button', { name: t('code.changeNumber') }))
    expect(readSignIn('user').code).toBeNull()
    expect(screen.getByLabelText(t('phone'))).toHaveProperty('value', '501234567')
  })

  it('of a user opens no dialog on the agents’ sign-in page', async () => {
    storeSignIn(pending)
    window.history.replaceState(null, '', '/agent-auth')
    const calls = stubGateway(noSession)
    renderPage(<AgentAuthPage />)
    await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
