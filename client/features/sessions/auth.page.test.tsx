// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import { useSession } from '#client/session/session.ts'
import { configOf, sentCodeOf } from '#test/builders/answer.builder.ts'
import { stubLocks } from '#test/kit/client/locks.ts'
import { noSession, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { AuthPage } from './auth.page.tsx'
import { loadPhoneNumbers } from './phone-numbers.state.ts'

type Table = Parameters<typeof stubGateway>[0]

const sent = { body: sentCodeOf() }
const wrongCode = problem(400, 'CODE_INVALID', 'That code is wrong or has expired.', [
  { field: 'code', message: 'That code is wrong or has expired.' },
])
const signedIn = { body: { success: true, user: { id: 7, name: 'Amina', phone: '+966501234567' } } }
const t = (key: string, values?: Record<string, unknown>) => textOf('sessions', key, values)

function Role() {
  return <output>{useSession().role ?? 'guest'}</output>
}

async function open(page: 'user' | 'agent', table: Table) {
  const calls = stubGateway({
    ...noSession,
    ...table,
  })
  const view = renderPage(
    <>
      {page === 'user' ? <AuthPage /> : <AgentAuthPage />}
      <Role />
    </>,
    { hasEntries: true },
  )
  const posted = (path: string) => calls.filter((call) => call.path === path).map(({ body }) => body)
  await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
  return { ...view, posted, person: userEvent.setup() }
}

const phone = () => screen.getByLabelText(t('phone'))
const send = () => screen.getByRole('button', { name: t('send') })
const dialog = async () => within(await screen.findByRole('dialog', { name: t('code.title') }))
type Visitor = ReturnType<typeof userEvent.setup>

async function askForCode(person: Visitor): Promise<void> {
  await person.type(phone(), '501234567')
  await person.click(send())
}

/** The dialog of a code that was requested. */
async function codeDialog(person: Visitor) {
  await askForCode(person)
  return dialog()
}

/** The dialog of a code that was requested, with a code typed. */
async function enterCode(person: Visitor, digits: string) {
  const code = await codeDialog(person)
  await person.type(code.getByLabelText(t('code.label')), digits)
  return code
}

const messageOf = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
const country = () => screen.getByRole('button', { name: /^Country code:/ })
const role = () => document.querySelector('output')?.textContent

// phone-numbers.test.tsx tests the page when the library of phone numbers loads late.
beforeAll(loadPhoneNumbers)
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('login', () => {
  it('requires a phone of at least ten characters: at the field, which gets the focus, and as a toast', async () => {
    const { person, posted } = await open('user', {})
    await person.type(phone(), '123')
    await person.click(send())
    expect(await screen.findAllByText('Please enter a valid phone number')).toHaveLength(2)
    expect(phone().getAttribute('aria-invalid')).toBe('true')
    expect(messageOf(phone())).toBe('Please enter a valid phone number')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(document.activeElement).toBe(phone())
    await waitFor(() => expect(document.title).toMatch(/^Error: Log in/))
    await person.type(phone(), '4')
    expect(screen.queryByText('Please enter a valid phone number')).toBeNull()
    expect(document.title).toMatch(/^Log in/)
    expect(posted('/api/auth/request-otp')).toEqual([])
  })

  it('sends the number with Latin digits, shows the progress, and opens the dialog', async () => {
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
    await person.click(screen.getByRole('button', { name: 'Sending…' }))
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

  it('starts with Saudi Arabia, and finds another country by its name', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    expect(country().ariaLabel).toContain('Saudi Arabia ⁨SA +966⁩')
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    await person.click(country())
    const list = within(await screen.findByRole('dialog', { name: t('country') }))
    const search = list.getByRole('searchbox', { name: t('countrySearch') })
    await waitFor(() => expect(document.activeElement).toBe(search))
    await person.type(search, 'indones')
    await person.click(list.getByRole('button', { name: /^Indonesia/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.type(phone(), '81234567890')
    await person.click(send())
    await dialog()
    expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+6281234567890' }])
  })

  it('signs in with the code', async () => {
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': signedIn,
    })
    await enterCode(person, '١٢٣٤')
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/verify-otp')).toEqual([{ phone: '+966501234567', code: '1234' }])
  })

  it('shows that it is verifying', async () => {
    let answer = (_: typeof signedIn) => {}
    const { person, posted, goBack } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': () =>
        new Promise<typeof signedIn>((resolve) => {
          answer = resolve
        }),
    })
    const code = await enterCode(person, '1234')
    await person.click(await code.findByRole('button', { name: 'Verifying…' }))
    // The dialog stays open while the request runs.
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    await person.click(code.getByRole('button', { name: t('code.changeNumber') }))
    act(goBack)
    expect(code.getByRole('button', { name: 'Verifying…' })).toBeTruthy()
    answer(signedIn)
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/verify-otp')).toHaveLength(1)
  })

  it('shows its own text for a failure without a message', async () => {
    let answer = problem(500, 'UNEXPECTED', '')
    const { person } = await open('user', {
      'POST /api/auth/request-otp': () => answer,
      'POST /api/auth/verify-otp': problem(500, 'UNEXPECTED', ''),
    })
    await askForCode(person)
    expect(await screen.findByText('Failed to send OTP')).toBeTruthy()
    answer = sent
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await waitFor(() => expect(messageOf(code.getByLabelText(t('code.label')))).toBe('Failed to verify OTP'))
  })

  it('asks for all four digits before it verifies', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    const code = await enterCode(person, '12')
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    expect(await screen.findAllByText('Please enter a valid 4-digit OTP')).toHaveLength(2)
    expect(posted('/api/auth/verify-otp')).toEqual([])
  })

  it('keeps the dialog with the message after a wrong code, for another try', async () => {
    let answer = wrongCode
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': () => answer,
    })
    const code = await codeDialog(person)
    const field = code.getByLabelText(t('code.label'))
    await person.type(field, '0000')
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(messageOf(field)).toBe('That code is wrong or has expired.')
    // The error stands at the field and in a toast. The toast is announced, because the focus has not moved.
    expect(screen.getAllByText('That code is wrong or has expired.')).toHaveLength(2)
    expect(document.activeElement).toBe(field)
    answer = signedIn
    await person.clear(field)
    await person.type(field, '1234')
    // Four digits are sent automatically only once.
    expect(posted('/api/auth/verify-otp')).toHaveLength(1)
    await person.click(code.getByRole('button', { name: t('code.verify') }))
    await waitFor(() => expect(role()).toBe('user'))
  })

  it('announces a refusal by the toast where the field has the focus already', async () => {
    const { person } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': wrongCode,
    })
    await person.type(phone(), '12{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('Please enter a valid phone number')
    await person.clear(phone())
    await person.type(phone(), '501234567{Enter}')
    await person.type((await dialog()).getByLabelText(t('code.label')), '0000')
    expect((await screen.findByRole('alert')).textContent).toBe('That code is wrong or has expired.')
  })

  it('clears the code when the dialog is closed', async () => {
    const { person } = await open('user', { 'POST /api/auth/request-otp': sent })
    await askForCode(person)
    await person.type((await dialog()).getByLabelText(t('code.label')), '12')
    await person.click((await dialog()).getByRole('button', { name: t('code.changeNumber') }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(phone())
    expect(phone()).toHaveProperty('value', '501234567')
    await person.click(send())
    expect((await dialog()).getByLabelText(t('code.label'))).toHaveProperty('value', '')
  })

  it('sends another code when the server allows it, and announces it', async () => {
    const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
    const code = await codeDialog(person)
    await person.click(code.getByRole('button', { name: t('code.resend.sms') }))
    expect(await code.findByText(t('code.resent'))).toBeTruthy()
    expect(posted('/api/auth/request-otp')).toHaveLength(2)
  })

  it('shows a failure of the code service as a toast and stays usable', async () => {
    const { person } = await open('user', {
      'POST /api/auth/request-otp': problem(503, 'OTP_UNAVAILABLE', 'We could not reach the code service.'),
    })
    await askForCode(person)
    expect(await screen.findByText('We could not reach the code service.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(send()).toBeTruthy()
  })
})

describe('sign-up', () => {
  it('asks for a name', async () => {
    const { person, posted } = await open('user', {})
    await person.click(screen.getByRole('radio', { name: 'Signup' }))
    await person.type(screen.getByLabelText(t('name')), '   ')
    await askForCode(person)
    expect(await screen.findAllByText('Please enter your name')).toHaveLength(2)
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
    await enterCode(person, '1234')
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+966501234567', name: 'Amina' }])
    expect(posted('/api/auth/verify-otp')).toEqual([{ phone: '+966501234567', code: '1234', name: 'Amina' }])
  })

  it('reuses phone and code of a login with a new number, without a second SMS', async () => {
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': ({ body }) =>
        typeof body === 'object' && body !== null && 'name' in body
          ? signedIn
          : problem(409, 'SIGN_UP_REQUIRED', 'This number is new to us.'),
    })
    await enterCode(person, '1234')
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

  it('sends a new code once the proof has expired', async () => {
    let isProofValid = true
    const { person, posted } = await open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': () =>
        isProofValid ? problem(409, 'SIGN_UP_REQUIRED', 'This number is new to us.') : wrongCode,
    })
    await enterCode(person, '1234')
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
    await enterCode(person, '1234')
    await screen.findByRole('button', { name: t('finish') })
    await person.type(phone(), '{Backspace}8')
    expect(screen.getByRole('button', { name: t('send') })).toBeTruthy()
  })
})

describe('the agent login', () => {
  it('signs an agent in and stores the token', async () => {
    const agent = { id: 3, name: 'Counter 1', phone: '+966500000101' }
    const { person, posted } = await open('agent', {
      'POST /api/auth/send-agent-otp': sent,
      'POST /api/auth/verify-agent-otp': { body: { success: true, agent, token: 'handle' } },
    })
    await person.type(phone(), '500000101')
    await person.click(send())
    const code = await dialog()
    await person.type(code.getByLabelText(t('code.label')), '1234')
    await waitFor(() => expect(role()).toBe('agent'))
    expect(localStorage.getItem('agentToken')).not.toBeNull()
    expect(posted('/api/auth/verify-agent-otp')).toEqual([{ phone: '+966500000101', code: '1234' }])
  })

  it('requires a valid phone', async () => {
    const { person } = await open('agent', {})
    await person.click(send())
    expect(await screen.findAllByText('Please enter a valid phone number')).toHaveLength(2)
    expect(document.activeElement).toBe(phone())
  })

  it('shows the demo hint only while the services are simulated', async () => {
    const { unmount } = await open('agent', { 'GET /api/config': { body: configOf({ demo: true }) } })
    expect(await screen.findByText(t('demo'))).toBeTruthy()
    unmount()
    await open('agent', {})
    expect(screen.queryByText(t('demo'))).toBeNull()
  })
})

describe('sign-up that is finished after a reload', () => {
  const table = {
    'POST /api/auth/request-otp': sent,
    'POST /api/auth/verify-otp': ({ body }: { body: unknown }) =>
      typeof body === 'object' && body !== null && 'name' in body
        ? signedIn
        : problem(409, 'SIGN_UP_REQUIRED', 'This number is new to us.'),
  }

  /** Verifies a code for an unknown phone, and reloads the page after `minutes`. */
  async function provenThenReloaded(minutes: number) {
    vi.useFakeTimers({ toFake: ['Date'] })
    const first = await open('user', table)
    await enterCode(first.person, '1234')
    await screen.findByRole('button', { name: t('finish') })
    // Unmounting clears the proof, but a reload does not: restore the tab's storage.
    const kept = { ...sessionStorage }
    first.unmount()
    await Promise.resolve()
    const left = { ...sessionStorage }
    for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value)
    vi.setSystemTime(Date.now() + minutes * 60_000)
    return { left, ...(await open('user', table)) }
  }

  beforeEach(() => {
    sessionStorage.clear()
    window.history.replaceState(null, '', '/auth')
    return () => {
      vi.useRealTimers()
      window.history.replaceState(null, '', '/')
    }
  })

  it('continues with the name for the proven number, and sends no second code', async () => {
    const { person, posted } = await provenThenReloaded(9)
    expect(screen.getByText(t('signup.newNumber'))).toBeTruthy()
    expect(phone()).toHaveProperty('value', '501234567')
    await person.type(screen.getByLabelText(t('name')), 'Amina')
    await person.click(screen.getByRole('button', { name: t('finish') }))
    await waitFor(() => expect(role()).toBe('user'))
    expect(posted('/api/auth/request-otp')).toEqual([])
    expect(posted('/api/auth/verify-otp')).toEqual([{ phone: '+966501234567', code: '1234', name: 'Amina' }])
    expect(sessionStorage.getItem('signIn')).toBeNull()
  })

  it('drops the proof when the page is left', async () => {
    const { left } = await provenThenReloaded(1)
    expect(left).not.toHaveProperty('signIn')
  })
})

describe('a message of the server about a number', () => {
  const words = 'This number cannot receive our codes. Use a mobile number.'

  it.each(['user', 'agent'] as const)(
    'is shown at the field, also with an unknown error code: %s',
    async (page) => {
      const refusal = problem(422, 'PHONE_CANNOT_RECEIVE', 'The code could not be sent.', [
        { field: 'phone', message: words },
      ])
      const { person } = await open(page, {
        'POST /api/auth/request-otp': refusal,
        'POST /api/auth/send-agent-otp': refusal,
      })
      await askForCode(person)
      await waitFor(() => expect(phone().getAttribute('aria-invalid')).toBe('true'))
      expect(messageOf(phone())).toBe(words)
      expect(screen.queryByText('Please enter a valid phone number')).toBeNull()
    },
  )
})

it('a name loses the hidden characters that were copied with it', async () => {
  const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
  await person.click(screen.getByRole('radio', { name: 'Signup' }))
  await person.click(screen.getByLabelText(t('name')))
  await person.paste('محمد \u200f علی\u200cرضا\u202c')
  await askForCode(person)
  await waitFor(() => expect(posted('/api/auth/request-otp')).toMatchObject([{ name: 'محمد علی\u200cرضا' }]))
})

it('a number with too many digits stays whole in its field, which says the limit at once, and is not sent', async () => {
  const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
  const tooLong = t('errors.phoneTooLong', { limit: 15 })
  await person.type(phone(), '1234567890123')
  expect((phone() as HTMLInputElement).value).toBe('1234567890123')
  // The number has sixteen digits, the country code included.
  expect(messageOf(phone())).toBe(tooLong)
  await person.click(send())
  expect(document.activeElement).toBe(phone())
  expect(posted('/api/auth/request-otp')).toEqual([])
  await person.type(phone(), '{Backspace}')
  expect(messageOf(phone())).not.toBe(tooLong)
  await person.click(send())
  await dialog()
  expect(posted('/api/auth/request-otp')).toEqual([{ phone: '+966123456789012' }])
})

it('a name that is too long stays whole in its field, which says the limit at once', async () => {
  const { person, posted } = await open('user', { 'POST /api/auth/request-otp': sent })
  await person.click(screen.getByRole('radio', { name: 'Signup' }))
  const field = screen.getByLabelText<HTMLInputElement>(t('name'))
  await person.click(field)
  await person.paste('x'.repeat(81))
  expect(field.value).toHaveLength(81)
  const message = t('errors.NAME_TOO_LONG', { limit: 80 })
  expect(screen.getByText(message).id).toBe(field.getAttribute('aria-describedby'))
  await askForCode(person)
  expect(posted('/api/auth/request-otp')).toEqual([])
  await person.type(field, '{Backspace}')
  expect(field.getAttribute('aria-invalid')).toBeNull()
})

it.each([
  ['user', '/api/auth/request-otp'],
  ['agent', '/api/auth/send-agent-otp'],
] as const)('waits for another tab’s request for a code before it requests one: %s', async (page, path) => {
  stubLocks()
  const { person, posted } = await open(page, { [`POST ${path}`]: sent })
  const answer = Promise.withResolvers<void>()
  const otherTab = oneTabAtATime('sign-in-code', () => answer.promise)
  await askForCode(person)
  expect(posted(path)).toEqual([])
  answer.resolve()
  await otherTab
  await waitFor(() => expect(posted(path)).toHaveLength(1))
})
