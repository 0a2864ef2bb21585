// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { addTexts } from '#client/platform/i18n.ts'
import {
  problem,
  renderPage,
  type StubbedRoute,
  type StubResponse,
  stubGateway,
} from '#test/kit/client/render-page.tsx'
import './texts.ts'
import './signed-in.tsx'
import { Desk } from './desk.tsx'
import { type Outcome, takeOutcome } from './outcome.ts'
import { narrow } from './pages.ts'
import { loadPage } from './routes.tsx'

vi.mock(import('#client/platform/document.ts'), async (original) => ({
  ...(await original()),
  openDocument: vi.fn(),
}))
const { openDocument } = await import('#client/platform/document.ts')

// jsdom has no `matchMedia`, which antd calls for the width of the window.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList

beforeAll(async () => {
  for (const language of ['ar', 'en'] as const) await addTexts(language, 'desk')
})

const me = 'GET /api/desk/me'
const out = 'POST /api/desk/sign-out'
const over = problem(401, 'STAFF_NOT_SIGNED_IN', 'Your session has ended. Sign in again.')
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const sara = (idleMinutes = 30) => ({
  body: {
    success: true,
    staff: {
      name: 'سارة الحربي',
      roles: ['support', 'lead'],
      idleUntil: inMinutes(idleMinutes),
      endsAt: inMinutes(480),
    },
  },
})

interface Wish {
  readonly at?: string
  readonly language?: 'ar' | 'en'
  readonly outcome?: Outcome
  /** Whether the browser has signed in before. */
  readonly isHere?: boolean
}

function open(
  answers: Readonly<Record<string, StubbedRoute>>,
  { outcome, isHere = true, ...wish }: Wish = {},
) {
  const name = `desk-here_${window.location.port || '80'}`
  // biome-ignore lint/suspicious/noDocumentCookie: as the gateway sets it
  document.cookie = `${name}=1; path=/; max-age=${isHere ? 60 : 0}`
  const calls = stubGateway(answers)
  renderPage(<Desk outcome={outcome} />, wish)
  return { calls, person: userEvent.setup() }
}

const addressOf = (name: string) => {
  const url = new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '', 'https://desk.example')
  return { path: url.pathname, ...Object.fromEntries(url.searchParams) }
}

describe('without a session', () => {
  it('the desk leads to the company’s sign-in and back to the page that was wanted', async () => {
    const { calls } = open({}, { at: '/orders/OD-1?x=1', isHere: false })
    await screen.findByRole('heading', { name: 'Amtiati, the desk' })
    expect(addressOf('Sign in')).toEqual({ path: '/desk/sign-in', next: '/desk/orders/OD-1?x=1' })
    expect(screen.queryByRole('alert')).toBeNull()
    // Without a session the desk sends no request, because the server would refuse it.
    expect(calls).toEqual([])
  })

  it.each<[Outcome, string, string]>([
    [{ kind: 'cancelled' }, 'لم يكتمل الدخول. المحاولة مرة أخرى', 'Not signed in. Try again'],
    [{ kind: 'expired' }, 'انتهت صلاحية المحاولة. ابدأ من جديد', 'That attempt has expired. Start again'],
    [
      { kind: 'away' },
      'خدمة الدخول في الشركة لا ترد. من دخل من قبل يواصل عمله',
      'Your company’s sign-in does not answer. Those signed in go on',
    ],
    [
      { kind: 'refused', requestId: 'r-7' },
      'تعذّر التحقق من الدخول. أبلغ الدعم التقني بالرمز r-7',
      'The sign-in could not be verified. Tell IT: r-7',
    ],
    [
      { kind: 'no-right' },
      'ليس لحسابك صلاحية على المكتب. اطلبها من المشرف.',
      'Your account has no right to the desk. Ask your lead.',
    ],
  ])('%j is said in both languages', async (outcome, arabic, english) => {
    const { person } = open({ [me]: over }, { language: 'ar', outcome })
    expect((await screen.findByRole('alert')).textContent).toBe(arabic)
    expect(document.documentElement.dir).toBe('rtl')
    await person.click(screen.getByRole('button', { name: 'English' }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(english))
    expect(document.documentElement.dir).toBe('ltr')
  })

  it('a person without a right is asked by the provider who it is', async () => {
    open({}, { outcome: { kind: 'no-right' }, isHere: false })
    await screen.findByRole('alert')
    expect(addressOf('Sign in with another account')).toEqual({
      path: '/desk/sign-in',
      next: '/desk',
      again: '1',
    })
  })

  it('no answer is no sign-out: the desk can be asked again', async () => {
    let isThere = false
    const { person } = open({ [me]: () => (isThere ? sara() : undefined) }, { at: '/session' })
    await screen.findByRole('heading', { name: 'The desk could not be loaded' })
    isThere = true
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'My session' })
  })
})

describe('with a session', () => {
  it('the desk shows whose it is, as what and until when, and what there is', async () => {
    open({ [me]: sara() }, { at: '/session' })
    await screen.findByRole('heading', { name: 'My session' })
    const bar = within(screen.getByRole('banner'))
    expect(bar.getByText('سارة الحربي')).toBeTruthy()
    expect(bar.getByText('Support · Lead')).toBeTruthy()
    expect(screen.getAllByRole('main')).toHaveLength(1)
    const menu = within(screen.getByRole('navigation', { name: 'Parts of the desk' }))
    // The menu shows no counts while the request for the lists fails.
    expect(menu.getAllByRole('link').map(({ textContent }) => textContent?.trim())).toEqual([
      'Stuck airway bills',
      'Bags to check',
      'Claims to answer',
      'Failed messages',
      'Refunds overdue',
      'Hidden payments',
      'Agents shut out',
      'Approvals',
      'Orders',
      'Stop selling',
      'Audit log',
      'Background work',
    ])
    expect(document.title).toBe('My session · Desk')
  })

  it('the menu of a tablet has a short name below each icon', async () => {
    vi.stubGlobal('matchMedia', (media: string) =>
      Object.assign(new EventTarget(), { media, matches: media === narrow, onchange: null }),
    )
    open({ [me]: sara() }, { at: '/session' })
    await screen.findByRole('heading', { name: 'My session' })
    const menu = within(screen.getByRole('navigation', { name: 'Parts of the desk' }))
    expect(menu.getByRole('link', { name: 'Bags' }).getAttribute('href')).toBe('/work/bags')
    expect(menu.queryByText('Bags to check')).toBeNull()
  })

  it('an address of no page says so, inside the desk', async () => {
    open({ [me]: sara() }, { at: '/figures' })
    await screen.findByRole('heading', { name: 'We could not find this page' })
    expect(screen.getByRole('banner')).toBeTruthy()
  })

  it('a page whose file does not come says so beside the menu, and is asked for again', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(loadPage, '/workers').mockRejectedValueOnce(new Error('Failed to fetch'))
    const { person } = open(
      { [me]: sara(), 'GET /api/desk/workers': { body: { success: true, workers: [] } } },
      { at: '/workers' },
    )
    expect((await screen.findByRole('alert')).textContent).toContain('The page could not be loaded.')
    expect(screen.getByRole('navigation')).toBeDefined()
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Background work' })
  })

  it('a second sign-in that was cancelled, or was another’s, is said above the page', async () => {
    open({ [me]: sara() }, { at: '/session', outcome: { kind: 'other-person' }, language: 'ar' })
    expect((await screen.findByRole('alert')).textContent).toBe('دخلت باسم آخر، فأُنهيت الجلسة الأولى')
    expect(screen.getByRole('heading', { name: 'جلستي' })).toBeTruthy()
  })

  it('it ends when the server says so: by its time, or by a call that was refused', async () => {
    vi.useFakeTimers()
    let answer: ReturnType<typeof sara> | typeof over = sara()
    open({ [me]: () => answer }, { at: '/orders/OD-1' })
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(screen.getByRole('banner')).toBeTruthy()
    // The session was used in another tab meanwhile, so it continues.
    await act(() => vi.advanceTimersByTimeAsync(29 * 60_000))
    answer = sara()
    await act(() => vi.advanceTimersByTimeAsync(2 * 60_000))
    expect(screen.getByRole('banner')).toBeTruthy()
    answer = over
    await act(() => vi.advanceTimersByTimeAsync(30 * 60_000))
    expect(
      screen.getByRole('heading', {
        name: 'Your session has ended. Sign in again (what you typed is kept).',
      }),
    ).toBeTruthy()
    expect(addressOf('Sign in again')).toEqual({ path: '/desk/sign-in', next: '/desk/orders/OD-1' })
    vi.useRealTimers()
  })

  it('a line that hangs is said above the page', async () => {
    vi.useFakeTimers()
    const answered = Promise.withResolvers<StubResponse>()
    open({ [me]: sara(), 'GET /api/desk/work': () => answered.promise })
    await act(() => vi.advanceTimersByTimeAsync(7_000))
    expect(screen.queryByText('This is taking longer than usual.')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(screen.getByText('This is taking longer than usual.')).toBeTruthy()
    answered.resolve(problem(503, 'UNAVAILABLE', 'Try again.'))
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(screen.queryByText('This is taking longer than usual.')).toBeNull()
    vi.useRealTimers()
  })

  it('signing out ends it here, then at the company’s sign-in', async () => {
    const endSessionUrl = 'https://id.company.example/end?hint=1'
    const { calls, person } = open({ [me]: sara(), [out]: { body: { success: true, endSessionUrl } } })
    await person.click(await screen.findByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(openDocument).toHaveBeenCalledWith(endSessionUrl))
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/desk/sign-out',
    ])
  })

  it('a sign-out that failed says so, and can be tried again', async () => {
    let tries = 0
    const { person } = open(
      {
        [me]: sara(),
        [out]: () => (++tries > 1 ? { body: { success: true, endSessionUrl: null } } : undefined),
      },
      { at: '/session' },
    )
    const button = await screen.findByRole('button', { name: 'Sign out' })
    await person.click(button)
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Signing out failed, and you are still signed in. Try again.',
    )
    await person.click(screen.getByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(openDocument).toHaveBeenCalledWith('/desk'))
  })
})

describe('the outcome of a sign-in', () => {
  const readFrom = (query: string) => {
    window.history.replaceState(null, '', `/desk/orders${query}`)
    return takeOutcome()
  }

  it('is taken out of the address, with nothing but an id', () => {
    expect(readFrom('?city=RUH&signIn=refused&requestId=01HZ-a_b')).toEqual({
      kind: 'refused',
      requestId: '01HZ-a_b',
    })
    expect(window.location.search).toBe('?city=RUH')
    expect(readFrom('?signIn=refused&requestId=call+0500000000')).toEqual({ kind: 'refused' })
    expect(readFrom('?signIn=hello')).toBeUndefined()
    expect(readFrom('')).toBeUndefined()
  })

  it('of another person drops what the one before has not sent, also of the same name', () => {
    const draft = JSON.stringify({ by: 'سارة', forms: { search: { text: 'Maryam' } } })
    window.sessionStorage.setItem('deskDrafts', draft)
    readFrom('?signIn=cancelled')
    expect(window.sessionStorage.getItem('deskDrafts')).toBe(draft)
    readFrom('?signIn=other-person')
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
  })
})
