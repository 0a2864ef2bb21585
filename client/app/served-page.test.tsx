// @vitest-environment jsdom
import { readFile } from 'node:fs/promises'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadPhoneNumbers } from '#client/features/sessions/phone-numbers.state.ts'
import { setLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import type { DocumentRole } from '#shared/platform/document-role.ts'
import { type PageName, pages } from '#shared/platform/pages.ts'
import { configOf, sentCodeOf } from '#test/builders/answer.builder.ts'
import { noSession, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { servedBody } from '#test/kit/client/served-page.tsx'
import { loadPage } from './pages.ts'
import { Providers } from './providers.tsx'
import { ServedPageEnd } from './served-page.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  replaceDocument: vi.fn(),
}))
// A browser announces the first page itself: only the pages that follow take the focus.
vi.mock(import('#client/ui/page-heading.ts'), async (load) => {
  const { useDocumentTitle } = await load()
  return {
    useDocumentTitle,
    usePageHeading: (title) => {
      useDocumentTitle(title)
      return useRef(null)
    },
  }
})
const { replaceDocument } = await import('#client/platform/document.ts')

/** A served page before the app is there, and what the app takes over from it. */

const shell = (key: string) => textOf('shell', key)
const sessions = (key: string) => textOf('sessions', key)
const amina = { body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567' } }
const served = () => document.getElementById('served')
const field = () => screen.getByLabelText<HTMLInputElement>(sessions('phone'))

let script = ''
/** The frames that the script of the document waits for. Each test draws its own frames before it ends. */
let frames: (() => void)[] = []

/** Shows the document as the server sends it, and runs its script. */
async function serve(page: PageName, role: DocumentRole = 'visitor') {
  window.history.replaceState(null, '', pages[page])
  if (role === 'visitor') delete document.documentElement.dataset.role
  else document.documentElement.dataset.role = role
  document.body.innerHTML = await servedBody(page, role)
  const files = '<template data-app><script data-of-app></script></template>'
  document.head.innerHTML = served()?.dataset.waits === undefined ? '' : files
  runScript()
  return userEvent.setup()
}

/** Its listeners end with the test. */
function runScript(): void {
  frames = []
  const draw = globalThis.requestAnimationFrame
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  const added = new AbortController()
  onTestFinished(() => added.abort())
  const { addEventListener } = document
  document.addEventListener = (type: string, run: EventListener, options: object = {}) =>
    addEventListener.call(document, type, run, { ...options, signal: added.signal })
  new Function(script)()
  document.addEventListener = addEventListener
  vi.stubGlobal('requestAnimationFrame', draw)
}

/** The app appears, as main.tsx lets it. */
async function appear(hasMoved = false): Promise<void> {
  await loadPage(window.location.pathname)
  const container = document.getElementById('root')
  if (container === null) throw new Error('the document has no root')
  const root = createRoot(container)
  onTestFinished(() => act(() => root.unmount()))
  root.render(
    <>
      <Providers router={({ children }) => <BrowserRouter>{children}</BrowserRouter>} />
      <ServedPageEnd hasMoved={hasMoved} />
    </>,
  )
  await vi.waitFor(() => expect(served()).toBeNull())
}

const isAppAskedFor = () => document.head.querySelector(':scope > [data-of-app]') !== null

beforeAll(async () => {
  // The app starts by itself, as in a browser, and goes on loading its parts after a test has seen what it waits for.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  script = await readFile('client/before-app.js', 'utf8')
  await loadPhoneNumbers()
})
beforeEach(() => {
  void setLanguage('en')
  localStorage.clear()
  sessionStorage.clear()
  vi.mocked(replaceDocument).mockReset()
  stubGateway({ ...noSession, 'GET /api/config': { body: configOf() } })
  vi.stubGlobal('scrollTo', vi.fn())
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run))
})
afterEach(() => {
  document.body.replaceChildren()
  delete document.documentElement.dataset.role
  window.history.replaceState(null, '', '/')
})

describe('the served sign-in form', () => {
  it.each([
    ['auth', 'POST /api/auth/request-otp'],
    ['agentAuth', 'POST /api/auth/send-agent-otp'],
  ] as const)('of %s holds the press, which the app carries out with what was typed', async (page, sends) => {
    const calls = stubGateway({
      ...noSession,
      'GET /api/config': { body: configOf() },
      [sends]: { body: sentCodeOf() },
    })
    const person = await serve(page)
    await person.type(field(), '501234567')
    await person.click(screen.getByRole('button', { name: sessions('send') }))
    expect(served()?.querySelector('form[data-pressed]')).not.toBeNull()
    await appear()
    await screen.findByRole('dialog', { name: sessions('code.title') })
    const posts = calls.filter(({ method }) => method === 'POST')
    expect(posts.map(({ body }) => body)).toEqual([{ phone: '+966501234567' }])
  })

  it('keeps text, caret, focus and mode, and sends nothing that was not pressed', async () => {
    const calls = stubGateway({ ...noSession, 'GET /api/config': { body: configOf() } })
    const person = await serve('auth')
    await person.click(screen.getByRole('radio', { name: sessions('mode.signup') }))
    await person.type(field(), '50 123')
    field().setSelectionRange(2, 2)
    await appear()
    expect(field().value).toBe('50 123')
    expect(document.activeElement).toBe(field())
    expect(field().selectionStart).toBe(2)
    expect(screen.getByRole('textbox', { name: sessions('name') })).toBeTruthy()
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('opens the list of countries that was pressed', async () => {
    const person = await serve('auth')
    await person.click(screen.getByRole('button', { name: /\+966/ }))
    await appear()
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })
})

describe('the served menu of the account', () => {
  const toggle = () => screen.getByRole('button', { name: shell('menu') })
  const isOpen = () => toggle().getAttribute('aria-expanded')

  it.each([
    ['Escape', (person) => person.keyboard('{Escape}'), true],
    ['a press outside', (person) => person.click(screen.getByRole('main')), false],
    ['a second press', (person) => person.click(toggle()), true],
  ] satisfies [string, (person: ReturnType<typeof userEvent.setup>) => Promise<void>, boolean][])(
    'opens, and closes by %s',
    async (_, close, hasFocus) => {
      const person = await serve('orders', 'user')
      await person.click(toggle())
      expect(isOpen()).toBe('true')
      await close(person)
      expect(isOpen()).toBe('false')
      if (hasFocus) expect(document.activeElement).toBe(toggle())
    },
  )

  it('stays open with its focus when the app appears', async () => {
    stubGateway({ ...noSession, 'GET /api/config': { body: configOf() }, 'GET /api/auth/user': amina })
    const person = await serve('home', 'user')
    await person.click(toggle())
    within(screen.getByRole('banner'))
      .getByRole('link', { name: shell('myOrders') })
      .focus()
    await appear()
    expect(isOpen()).toBe('true')
    expect(document.activeElement?.getAttribute('href')).toBe(paths.orders)
    expect(await screen.findByText('Amina')).toBeTruthy()
  })

  it('holds a logout, which the app carries out', async () => {
    const calls = stubGateway({
      ...noSession,
      'GET /api/config': { body: configOf() },
      'GET /api/auth/user': amina,
      'POST /api/auth/logout': { body: { success: true } },
    })
    const person = await serve('privacyPolicy', 'user')
    await person.click(screen.getByRole('button', { name: shell('logout') }))
    await appear()
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledExactlyOnceWith('/'))
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

describe('the served start page', () => {
  const riyadh = 'Riyadh'

  it.each(['user', 'agent'] as const)('of a %s asks for the app after the first frame', async (role) => {
    await serve('home', role)
    expect(isAppAskedFor()).toBe(false)
    for (const draw of frames) draw()
    await vi.waitFor(() => expect(isAppAskedFor()).toBe(true))
    expect(served()?.dataset.wanted).toBe('')
  })

  it('of a visitor asks for the app after no frame', async () => {
    await serve('home')
    expect(frames).toEqual([])
    expect(isAppAskedFor()).toBe(false)
  })

  it('of a visitor loads the app when a link is pointed at, and starts nothing', async () => {
    const person = await serve('home')
    await person.hover(screen.getByRole('heading', { level: 1 }))
    expect(isAppAskedFor()).toBe(false)
    await person.hover(screen.getByRole('link', { name: shell('login') }))
    expect(isAppAskedFor()).toBe(true)
    expect(served()?.dataset.wanted).toBeUndefined()
  })

  it('keeps the city that was pressed until the app chooses it', async () => {
    const person = await serve('home')
    const chip = screen.getByRole('link', { name: riyadh })
    expect(chip.getAttribute('href')).toBe(paths.authThen(paths.bookingTo('Riyadh')))
    await person.click(chip)
    expect(served()?.dataset.wanted).toBe('')
    await appear()
    expect(screen.getByRole('button', { name: riyadh }).getAttribute('aria-pressed')).toBe('true')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: riyadh }))
  })

  it('follows the link of a city that is pressed twice: the app may never come', async () => {
    const person = await serve('home')
    const isLeftToBrowser = vi.fn((event: Event) => {
      expect(event.defaultPrevented).toBe(false)
      event.preventDefault()
    })
    await person.click(screen.getByRole('link', { name: riyadh }))
    document.addEventListener('click', isLeftToBrowser, { once: true })
    await person.click(screen.getByRole('link', { name: riyadh }))
    expect(isLeftToBrowser).toHaveBeenCalledOnce()
  })

  it('stays where its reader has scrolled it to', async () => {
    await serve('home')
    vi.stubGlobal('scrollY', 480)
    await appear()
    expect(vi.mocked(window.scrollTo).mock.calls).toEqual([[0, 480]])
  })

  it('is followed by the page of a link at its top, with its heading in focus', async () => {
    await serve('home')
    vi.stubGlobal('scrollY', 480)
    window.history.pushState(null, '', paths.agentAuth)
    await appear(true)
    expect(vi.mocked(window.scrollTo).mock.calls).toEqual([[0, 0]])
    const heading = screen.getByRole('heading', { level: 1, name: sessions('agent.title') })
    expect(document.activeElement).toBe(heading)
  })
})

it.each([
  ['visitor', [paths.auth, paths.agentAuth], [paths.account]],
  ['user', [paths.booking, paths.orders, paths.account], [paths.auth, paths.agentAuth, paths.agentOrders]],
  ['agent', [paths.agentOrders, paths.account], [paths.auth, paths.agentAuth, paths.booking, paths.orders]],
] as const)('the served start page has the links of a %s', async (role, has, hasNot) => {
  await serve('home', role)
  const hrefs = within(document.body)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href')?.replace(/\?.*/, ''))
  for (const path of has) expect(hrefs).toContain(path)
  for (const path of hasNot) expect(hrefs).not.toContain(path)
})
