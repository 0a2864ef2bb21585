import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom'
import { afterEach, onTestFinished, vi } from 'vitest'
import { LoadedConfig } from '#client/entities/config/use-config.ts'
import { catalogues } from '#client/platform/catalogues.ts'
import { addTexts, setLanguage, type TextKey, textNow } from '#client/platform/i18n.ts'
import { createQueryClient } from '#client/platform/query-client.ts'
import { textGroupOf } from '#client/platform/text-groups.ts'
import { sessionQuery } from '#client/session/session.query.ts'
import { emptySession } from '#client/session/session.rules.ts'
import { SessionProvider } from '#client/session/session-provider.tsx'
import { useOverlayEntries } from '#client/ui/overlay-entries.ts'
import { Toasts } from '#client/ui/toast.tsx'
import type { PublicConfig } from '#shared/config/config.api.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { configOf } from '#test/builders/answer.builder.ts'

/*
 * Renders one page of the client in jsdom against a stubbed gateway. Only for test files with the jsdom environment.
 */

afterEach(cleanup)

const groups = new Set(Object.keys(catalogues).map(textGroupOf))
for (const language of ['ar', 'en'] as const) for (const group of groups) await addTexts(language, group)

// jsdom has no layout: an observer that never reports is enough.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// jsdom has no modal dialogs: they open without making the page behind them inert.
HTMLDialogElement.prototype.showModal ??= function showModal() {
  this.open = true
}
HTMLDialogElement.prototype.close ??= function close() {
  this.open = false
}

interface PageOptions {
  /** Path and query. */
  readonly at?: string
  readonly language?: LanguageCode
  /** As the desk's router: another path is shown when nothing else is to be shown. */
  readonly hasTransitions?: boolean
  /** The overlays of the page are entries of the history; in the app the frame of all pages sees to it. */
  readonly hasEntries?: boolean
}

/** Renders a page in StrictMode with all providers. `where()` returns the current path and query; `goBack()` is the Back button. */
export function renderPage(
  page: ReactNode,
  { at = '/', language = 'en', hasTransitions = false, hasEntries = false }: PageOptions = {},
) {
  void setLanguage(language)
  let address = at
  let goBack = () => {}
  const queryClient = createQueryClient()
  // No retries: a transient failure is shown at once.
  queryClient.setDefaultOptions({
    ...queryClient.getDefaultOptions(),
    queries: { ...queryClient.getDefaultOptions().queries, retry: false },
  })
  const withProviders = (content: ReactNode) => (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[at]} {...(hasTransitions ? {} : { useTransitions: false })}>
          <Toasts />
          <SessionProvider>{content}</SessionProvider>
          {hasEntries ? <OverlayEntries /> : null}
          <Address
            onMove={(moved, back) => {
              address = moved
              goBack = back
            }}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </StrictMode>
  )
  const { rerender, ...screen } = render(withProviders(page))
  return {
    ...screen,
    rerender: (content: ReactNode) => rerender(withProviders(content)),
    where: () => address,
    goBack: () => goBack(),
  }
}

function OverlayEntries() {
  useOverlayEntries()
  return null
}

interface KnownProps {
  readonly config?: PublicConfig
  readonly user?: User
  readonly children: ReactNode
}

/** Around a page for which configuration and user are known from the start. */
export function Known({ config = configOf(), user, children }: KnownProps) {
  const queryClient = useQueryClient()
  useState(() => {
    if (user !== undefined) queryClient.setQueryData(sessionQuery.queryKey, { ...emptySession, user })
  })
  return <LoadedConfig value={config}>{children}</LoadedConfig>
}

function Address({ onMove }: { readonly onMove: (address: string, goBack: () => void) => void }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  onMove(pathname + search, () => void navigate(-1))
  return null
}

/** The text of a catalogue key, as the screen shows it. */
export function textOf(
  namespace: string,
  key: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  return textNow(`${namespace}:${key}` as TextKey, values)
}

/** A press has no effect, and the button keeps the focus: browsers take it from a disabled one. */
export function isBusy(button: HTMLElement): boolean {
  return !button.hasAttribute('disabled') && button.getAttribute('aria-disabled') === 'true'
}

export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface StubResponse {
  readonly status?: number
  readonly body: unknown
  readonly etag?: string
}

/** `undefined`, or a path that is not in the table, makes fetch reject as without a network. */
export type StubbedRoute =
  | StubResponse
  | ((call: RecordedCall) => StubResponse | Promise<StubResponse> | undefined)

/** Stubs `fetch` with responses by method and path: `{ 'GET /api/orders/7': { body } }`. @returns the calls, in order. */
export function stubGateway(table: Readonly<Record<string, StubbedRoute>>): RecordedCall[] {
  const calls: RecordedCall[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    const call: RecordedCall = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined),
    }
    calls.push(call)
    const route = table[`${call.method} ${call.path}`]
    const response = typeof route === 'function' ? await route(call) : route
    if (response === undefined) throw new TypeError(`No network for ${call.method} ${call.path}`)
    const { status = 200, body, etag } = response
    return new Response(status === 304 ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...(etag !== undefined && { etag }) },
    })
  })
  return calls
}

/** A problem response of the gateway. */
export function problem(
  status: number,
  code: string,
  message: string,
  fields?: readonly unknown[],
): StubResponse {
  return {
    status,
    body: { success: false, code, message, requestId: 'r-1', ...(fields ? { fields } : {}) },
  }
}

export const notSignedIn = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')

/** The start-up calls of a visitor. */
export const noSession = { 'GET /api/auth/user': notSignedIn, 'GET /api/auth/agent': notSignedIn }

/** Gives the browser's navigator these properties until the test ends. A copy of it is refused by jsdom's own. */
export function stubNavigator(properties: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(navigator, name, { configurable: true, value })
    onTestFinished(() => void Reflect.deleteProperty(navigator, name))
  }
}
