// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { problem, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { hasAgentToken } from './agent-token.ts'
import { AuthPage } from './auth.page.tsx'
import { SessionsProvider, useSessions } from './sessions.state.tsx'

type Table = Parameters<typeof stubGateway>[0]

const nobody = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
const sent = { body: { success: true, sent: true, expiresInSeconds: 300, resendInSeconds: 0 } }
const wrongCode = problem(400, 'CODE_INVALID', 'That code is wrong or has expired.', [
  { field: 'code', message: 'That code is wrong or has expired.' },
])
const signedIn = { body: { success: true, user: { id: 7, name: 'Amina', phone: '+966501234567' } } }
const t = (key: string, values?: Record<string, unknown>) => textOf('sessions', key, values)

function Role() {
  return <output>{useSessions().state.role ?? 'nobody'}</output>
}

async function open(page: 'user' | 'agent', table: Table, isDemo = false) {
  const calls = stubGateway({ 'GET /api/auth/user': nobody, 'GET /api/auth/agent': nobody, ...table })
  const room = renderRoom(
    <SessionsProvider>
      {page === 'user' ? <AuthPage isDemo={isDemo} /> : <AgentAuthPage isDemo={isDemo} />}
      <Role />
    </SessionsProvider>,
  )
  const posted = (path: string) => calls.filter((call) => call.path === path).map(({ body }) => body)
  await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
  return { ...room, posted, person: userEvent.setup() }
}

const phone = () => screen.getByLabelText(t('phone'))
const send = () => screen.getByRole('button', { name: t('send') })
const dialog = async () => within(await screen.findByRole('dialog', { name: t('code.title') }))
const role = () => document.querySelector('output')?.textContent

beforeEach(() => localStorage.clear())

describe('login', () => {
  it('asks for a phone of at least ten characters: at the field, in a summary with the focus, as a toast', async () => {
    const { person, posted } = await open('user', {})
    await person.type(phone(), '123')
    await person.click(send())
    expect(await screen.findAllByText('Please enter a valid phone number')).toHaveLength(3)
    expect(phone().getAttribute('aria-invalid')).toBe('true')
    const summary = screen.getByRole('region', { name: 'There is a problem' })
    expect(document.activeElement).toBe(summary)
    expect(document.title).toMatch(/^Error: Login/)
    await person.click(within(summary).getByRole('link', { name: 'Please enter a valid phone number' }))
    expect(document.activeElement).toBe(phone())
    await person.type(phone(), '4')
    expect(screen.queryByRole('region')).toBeNull()
    expect(document.title).toMatch(/^Login/)
    expect(posted('/api/auth/request-otp')).toEqual([])
  })

  it('sends the folded number, says so meanwhile, and opens the dialog', async () => {
    let answer = (_: typeof sent) => {}
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': () =>
        new Promise<typeof sent>((resolve) => {
          answer = resolve
        }),
    })
    await person.type(phone(), '٠٥٠ ١٢٣ ٤٥٦٧')
    expect(phone()).toHaveProperty('value', '050 123 4567')
    await person.click(send())
    await person.click(screen.getByRole('button', { name: 'Sending...' }))
    answer(sent)
    const code = await dialog()
    expect(code.getByText('+966501234567').getAttribute('dir')).toBe('ltr')
    const field = code.getByLabelText(t('code.label'))
    expect(field.getAttribute('autocomplete')).toBe('one-time-code')
    expect(field.getAttribute('inputmode')).toBe('numeric')
    expect((await code.findByText('Code sent.')).getAttribute('role')).toBe('status')
    expect(phone().getAttribute('autocomplete')).toBe('tel')
    expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+966501234567' }])
  })

  it('begins with Saudi Arabia, and finds another country by its name', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    const country = screen.getByRole('combobox', { name: t('country') })
    expect(screen.getByText('+966')).toBeTruthy()
    await person.click(country)
    await person.type(country, 'nowhere')
    await person.click(await screen.findByRole('option', { name: t('countryNone') }))
    expect(screen.getByText('+966')).toBeTruthy()
    await person.click(country)
    await person.type(country, 'indones')
    await person.click(await screen.findByRole('option', { name: /^Indonesia/ }))
    await person.type(phone(), '81234567890')
    await person.click(send())
    await dialog()
    expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+6281234567890' }])
  })

  it('picks the country a pasted number names', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    await person.click(phone())
    await person.paste('+20 100 123 4567')
    expect(screen.getAllByText('+20').length).toBeGreaterThan(0)
    await person.click(send())
    await dialog()
    expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+201001234567' }])
  })

  it('signs in with the code', async () => {
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': signedIn,
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '١٢٣٤٥')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/verify-otp')).toEqual([{ phone: '+966501234567', code: '1234' }])
  })

  it('says that it is verifying while it is', async () => {
    let answer = (_: typeof signedIn) => {}
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': () =>
        new Promise<typeof signedIn>((resolve) => {
          answer = resolve
        }),
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await person.click(await code.findByRole('button', { name: 'Verifying...' }))
    answer(signedIn)
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/verify-otp')).toHaveLength(1)
  })

  it('has words of its own for a failure that comes without any', async () => {
    let answer = problem(500, 'UNEXPECTED', '')
    const { person } = await open('user', {
      'POST /api/auth/request-otp': () => answer,
      'POST /api/auth/verify-otp': problem(500, 'UNEXPECTED', ''),
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    expect(await screen.findByText('Failed to send OTP')).toBeTruthy()
    answer = sent
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    expect(await code.findByText('Failed to verify OTP')).toBeTruthy()
  })

  it('asks for all four digits before it verifies', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '12')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    expect(await screen.findAllByText('Please enter a valid 4-digit OTP')).toHaveLength(2)
    expect(posted('/api/auth/verify-otp')).toEqual([])
  })

  it('keeps the dialog with the message after a wrong code, for another try', async () => {
    let answer = wrongCode
    const { person } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': () => answer,
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    const field = code.getByLabelText(t('code.label'))
    await person.type(field, '0000')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(code.getByText('That code is wrong or has expired.')).toBeTruthy()
    expect(document.activeElement).toBe(field)
    answer = signedIn
    await person.clear(field)
    await person.type(field, '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(role()).toBe('user'))
  })

  it('forgets the code when the dialog is closed', async () => {
    const { person } = await open('user', { 'POST /api/auth/request-otp': sent })
    await person.type(phone(), '501234567')
    await person.click(send())
    await person.type((await dialog()).getByLabelText(t('code.label')), '12')
    await person.click((await dialog()).getByRole('button', { name: t('code.changeNumber') }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(phone())
    expect(phone()).toHaveProperty('value', '501234567')
    await person.click(send())
    expect((await dialog()).getByLabelText(t('code.label'))).toHaveProperty('value', '')
  })

  it('sends another code when the server allows it, and says so', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.click(code.getByRole('button', { name: t('code.resend') }))
    expect(await code.findByText(t('code.resent'))).toBeTruthy()
    expect(posted('/api/auth/request-otp')).toHaveLength(2)
  })

  it('counts down to the moment the server named', async () => {
    const { person } = await open('user', {
      'POST /api/auth/request-otp': { body: { ...sent.body, resendInSeconds: 60 } },
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    expect(code.getByText(/^You can ask for another code in (59|60) seconds$/)).toBeTruthy()
    expect(code.queryByRole('button', { name: t('code.resend') })).toBeNull()
  })

  it('shows a failure of the code service as a toast and stays usable', async () => {
    const { person } = await open('user', {
      'POST /api/auth/request-otp': problem(503, 'OTP_UNAVAILABLE', 'We could not reach the code service.'),
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    expect(await screen.findByText('We could not reach the code service.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(send()).toBeTruthy()
  })

  it('shows what the server says of the phone at the field', async () => {
    const message = 'Please enter a valid phone number'
    const { person } = await open('user', {
      'POST /api/auth/request-otp': problem(400, 'PHONE_INVALID', message, [{ field: 'phone', message }]),
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    await waitFor(() => expect(phone().getAttribute('aria-invalid')).toBe('true'))
  })
})

describe('sign-up', () => {
  it('asks for a name', async () => {
    const { person, posted } = await open('user', {})
    await person.click(screen.getByRole('radio', { name: 'Signup' }))
    await person.type(screen.getByLabelText(t('name')), '   ')
    await person.type(phone(), '501234567')
    await person.click(send())
    expect(await screen.findAllByText('Please enter your name')).toHaveLength(3)
    await person.click(screen.getByRole('link', { name: 'Please enter your name' }))
    expect(document.activeElement).toBe(screen.getByLabelText(t('name')))
    expect(posted('/api/auth/request-otp')).toEqual([])
  })

  it('sends the name with the phone and with the code', async () => {
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': signedIn,
    })
    await person.click(screen.getByRole('radio', { name: 'Signup' }))
    await person.type(screen.getByLabelText(t('name')), ' Amina ')
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+966501234567', name: 'Amina' }])
    expect(posted('/api/auth/verify-otp')).toEqual([{ phone: '+966501234567', code: '1234', name: 'Amina' }])
  })

  it('shows a failure as a toast in sign-up mode too, and stays there', async () => {
    const { person } = await open('user', {
      'POST /api/auth/request-otp': problem(503, 'OTP_UNAVAILABLE', 'We could not reach the code service.'),
    })
    await person.click(screen.getByRole('radio', { name: 'Signup' }))
    await person.type(screen.getByLabelText(t('name')), 'Amina')
    await person.type(phone(), '501234567')
    await person.click(send())
    expect(await screen.findByText('We could not reach the code service.')).toBeTruthy()
    expect(screen.getByLabelText(t('name'))).toHaveProperty('value', 'Amina')
    expect(screen.getByRole('radio', { name: 'Signup' })).toHaveProperty('checked', true)
  })

  it('takes over phone and code from a login with a new number, without a second SMS', async () => {
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': ({ body }) =>
        typeof body === 'object' && body !== null && 'name' in body
          ? signedIn
          : problem(409, 'SIGN_UP_REQUIRED', 'This number is new to us.'),
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('radio', { name: 'Signup' })).toHaveProperty('checked', true)
    expect(phone()).toHaveProperty('value', '501234567')
    expect(document.activeElement).toBe(screen.getByLabelText(t('name')))
    expect(screen.getByText(t('signup.newNumber'))).toBeTruthy()
    await person.type(screen.getByLabelText(t('name')), 'Amina')
    await person.click(screen.getByRole('button', { name: t('finish') }))
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/request-otp')).toHaveLength(1)
    expect(posted('/api/auth/verify-otp')[1]).toEqual({
      phone: '+966501234567',
      code: '1234',
      name: 'Amina',
    })
  })

  it('sends a new code once the proof has run out', async () => {
    let isProofValid = true
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': () =>
        isProofValid ? problem(409, 'SIGN_UP_REQUIRED', 'This number is new to us.') : wrongCode,
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    isProofValid = false
    await person.type(await screen.findByLabelText(t('name')), 'Amina')
    await person.click(screen.getByRole('button', { name: t('finish') }))
    await person.click(await screen.findByRole('button', { name: t('send') }))
    await dialog()
    expect(posted('/api/auth/request-otp')[1]).toEqual({ phone: '+966501234567', name: 'Amina' })
  })

  it('drops the proof when the number is changed', async () => {
    const { person } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': problem(409, 'SIGN_UP_REQUIRED', 'This number is new to us.'),
    })
    await person.type(phone(), '501234567')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await screen.findByRole('button', { name: t('finish') })
    await person.type(phone(), '{Backspace}8')
    expect(screen.getByRole('button', { name: t('send') })).toBeTruthy()
  })
})

describe('the agent login', () => {
  it('signs an agent in and keeps the token', async () => {
    const agent = { id: 3, name: 'Counter 1', phone: '+966500000101' }
    const { person, posted } = await open('agent', {
      'POST /api/auth/send-agent-otp': sent,
      'POST /api/auth/verify-agent-otp': { body: { success: true, agent, token: 'handle' } },
    })
    await person.type(phone(), '500000101')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(role()).toBe('agent'))
    expect(hasAgentToken()).toBe(true)
    expect(posted('/api/auth/verify-agent-otp')).toEqual([{ phone: '+966500000101', code: '1234' }])
  })

  it('asks for a valid phone', async () => {
    const { person } = await open('agent', {})
    await person.click(send())
    expect(await screen.findAllByText('Please enter a valid phone number')).toHaveLength(3)
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'There is a problem' }))
    await person.click(screen.getByRole('link', { name: 'Please enter a valid phone number' }))
    expect(document.activeElement).toBe(phone())
  })

  it('tells where the code is while the outsiders are simulated, and only then', async () => {
    const { unmount } = await open('agent', {}, true)
    expect(screen.getByText(t('demo'))).toBeTruthy()
    unmount()
    await open('agent', {})
    expect(screen.queryByText(t('demo'))).toBeNull()
  })
})
