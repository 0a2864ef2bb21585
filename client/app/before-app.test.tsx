// @vitest-environment jsdom
import { readFile } from 'node:fs/promises'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadPhoneNumbers } from '#client/features/sessions/phone-numbers.state.ts'
import { setLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { createQueryClient } from '#client/platform/query-client.ts'
import { beginHydration } from '#client/platform/use-is-hydrated.ts'
import { ownBrowser } from '#client/session/session.wipe.ts'
import { SessionProvider } from '#client/session/session-provider.tsx'
import { sentCodeOf } from '#test/builders/answer.builder.ts'
import { noSession, stubGateway, textOf } from '#test/kit/render-page.tsx'
import { loadPage } from './pages.ts'
import { AppRoutes } from './router.tsx'

/** A served page before the app runs on it, and what it becomes. */

function app(path: string) {
  return (
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter initialEntries={[path]}>
          <AppRoutes />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** Shows the page as the server sends it, and runs the script of the document. */
async function serve(path: string): Promise<HTMLElement> {
  await loadPage(path)
  const root = document.createElement('div')
  root.innerHTML = renderToString(app(path))
  document.body.replaceChildren(root)
  const script = await readFile('client/before-app.js', 'utf8')
  new Function(script)()
  return root
}

async function takeOver(root: HTMLElement, path: string): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  beginHydration()
  await act(async () => {
    const running = hydrateRoot(root, app(path), {
      onRecoverableError: (problem) => void failures.push(problem),
    })
    onTestFinished(() => act(() => running.unmount()))
  })
  return failures
}

const found = <E extends Element>(root: HTMLElement, selector: string): E => {
  const element = root.querySelector<E>(selector)
  if (element === null) throw new Error(`no ${selector}`)
  return element
}

const pressed = (root: HTMLElement) =>
  found(root, 'form[method]').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))

beforeAll(loadPhoneNumbers)
beforeEach(() => {
  void setLanguage('en')
  localStorage.clear()
  sessionStorage.clear()
  delete document.documentElement.dataset.keptRole
  vi.stubGlobal('requestAnimationFrame', () => 0)
})

describe('the served sign-in form', () => {
  const t = (key: string) => textOf('sessions', key)

  it.each([
    [paths.auth, 'POST /api/auth/request-otp'],
    [paths.agentAuth, 'POST /api/auth/send-agent-otp'],
  ])('at %s holds the press, which the app carries out with what was typed', async (path, sends) => {
    const calls = stubGateway({ ...noSession, [sends]: { body: sentCodeOf() } })
    const root = await serve(path)
    found<HTMLInputElement>(root, 'input[type="tel"]').value = '501234567'
    pressed(root)
    expect(found<HTMLElement>(root, 'form[method]').dataset.pressed).toBe('')
    expect(await takeOver(root, path)).toEqual([])
    await screen.findByRole('dialog', { name: t('code.title') })
    const posts = calls.filter(({ method }) => method === 'POST')
    expect(posts.map(({ body }) => body)).toEqual([{ phone: '+966501234567' }])
    expect(found<HTMLElement>(root, 'form[method]').dataset.pressed).toBeUndefined()
  })

  it('keeps the mode with the press, which then asks for the name', async () => {
    const calls = stubGateway(noSession)
    const root = await serve(paths.auth)
    found<HTMLInputElement>(root, 'input[type="tel"]').value = '501234567'
    for (const radio of root.querySelectorAll<HTMLInputElement>('input[type="radio"]')) radio.checked = true
    pressed(root)
    await takeOver(root, paths.auth)
    const name = await screen.findByRole('textbox', { name: t('name') })
    await waitFor(() => expect(document.activeElement).toBe(name))
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('sends nothing that was not pressed', async () => {
    const calls = stubGateway(noSession)
    const root = await serve(paths.auth)
    found<HTMLInputElement>(root, 'input[type="tel"]').value = '501234567'
    await takeOver(root, paths.auth)
    await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('the served start page', () => {
  const hrefs = (root: HTMLElement) =>
    [...root.querySelectorAll('main a[href^="/"]')].map((link) => link.getAttribute('href'))
  const audiences = (root: HTMLElement) =>
    new Set(
      [...root.querySelectorAll<HTMLElement>('[data-served-for]')].map((part) => part.dataset.servedFor),
    )
  const keptRole = () => document.documentElement.dataset.keptRole

  beforeEach(() => void stubGateway(noSession))

  it('offers a visitor the login and that of agents', async () => {
    const root = await serve(paths.home)
    expect(keptRole()).toBeUndefined()
    expect(found(root, 'header [data-served-for="visitor"]').textContent).toBe(textOf('shell', 'login'))
    const agents = found(root, 'footer [data-served-for="visitor"]')
    expect(agents.textContent).toBe(textOf('shell', 'footer.agentLogin'))
    expect(hrefs(root)).toContain(paths.auth)
    expect(await takeOver(root, paths.home)).toEqual([])
    // Until the session is known, and afterwards.
    expect(screen.getByRole('link', { name: textOf('shell', 'login') })).toBeTruthy()
  })

  it('has a link to booking for each city, which becomes a choice on the page', async () => {
    const root = await serve(paths.home)
    const riyadh = paths.bookingTo('Riyadh')
    expect(hrefs(root)).toContain(paths.authThen(riyadh))
    expect(await takeOver(root, paths.home)).toEqual([])
    expect(screen.getByRole('button', { name: textOf('home', 'cities.Riyadh') })).toBeTruthy()
    ownBrowser(createQueryClient(), 'user', 7)
    expect(hrefs(await serve(paths.home))).toContain(riyadh)
  })

  it('leads a user to booking, and hides from agents what is for pilgrims', async () => {
    ownBrowser(createQueryClient(), 'user', 7)
    const ofUser = await serve(paths.home)
    expect(keptRole()).toBe('user')
    expect(hrefs(ofUser)).toContain(paths.booking)
    expect(hrefs(ofUser).filter((href) => href?.startsWith(paths.auth))).toEqual([])
    ownBrowser(createQueryClient(), 'agent', 3)
    const ofAgent = await serve(paths.home)
    expect(keptRole()).toBe('agent')
    expect(audiences(ofAgent)).toEqual(new Set(['visitor', 'pilgrim']))
    const marked = [...ofAgent.querySelectorAll('main a[href^="/"]')].map(
      (link) => link.closest('[data-served-for="pilgrim"]') !== null,
    )
    expect(new Set(marked)).toEqual(new Set([true]))
  })

  it('becomes that of an agent when the app takes it over, before the session is known', async () => {
    stubGateway({})
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    ownBrowser(createQueryClient(), 'agent', 3)
    const root = await serve(paths.home)
    expect(await takeOver(root, paths.home)).toEqual([])
    await waitFor(() => expect(hrefs(root)).toEqual([paths.agentOrders, paths.agentOrders]))
    expect(audiences(root)).toEqual(new Set())
    expect(screen.queryByRole('link', { name: textOf('shell', 'login') })).toBeNull()
  })
})
