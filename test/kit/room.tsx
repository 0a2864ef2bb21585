import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { App } from 'antd'
import { type ReactNode, StrictMode } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, vi } from 'vitest'
import { i18n, setLanguage } from '#client/platform/i18n.ts'
import { createQueryClient } from '#client/platform/query-client.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

/*
 * One room of the client in jsdom, against a gateway that is a table of answers. Only for test files with the
 * jsdom environment.
 */

afterEach(cleanup)

// jsdom lays nothing out, so nothing ever changes its size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

interface RoomOptions {
  /** Where the person is: path and query. */
  readonly at?: string
  readonly language?: LanguageCode
}

/** Shows a page in StrictMode, with everything it stands on. `where()` tells the address it has moved to. */
export function renderRoom(page: ReactNode, { at = '/', language = 'en' }: RoomOptions = {}) {
  setLanguage(language)
  let address = at
  const queryClient = createQueryClient()
  // A failure that would pass by itself is shown at once: tests do not wait for second and third tries.
  queryClient.setDefaultOptions({
    ...queryClient.getDefaultOptions(),
    queries: { ...queryClient.getDefaultOptions().queries, retry: false },
  })
  const inHouse = (content: ReactNode) => (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[at]}>
          <App>{content}</App>
          <Address
            onMove={(moved) => {
              address = moved
            }}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </StrictMode>
  )
  const { rerender, ...screen } = render(inHouse(page))
  return {
    ...screen,
    rerender: (content: ReactNode) => rerender(inHouse(content)),
    where: () => address,
  }
}

function Address({ onMove }: { readonly onMove: (address: string) => void }) {
  const { pathname, search } = useLocation()
  onMove(pathname + search)
  return null
}

/** The sentence the screen shows for a message key, so that tests and screens share one source. */
export function textOf(
  namespace: string,
  key: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  return i18n.t(key, { ns: namespace, ...values })
}

export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

interface Answer {
  readonly status?: number
  readonly body: unknown
}

/** `undefined`, or a path that is not in the table, is a broken line: the fetch rejects. */
type Answering = Answer | ((call: RecordedCall) => Answer | Promise<Answer> | undefined)

/** Stands in for the gateway: `{ 'GET /api/orders/7': { body } }`. Returns what was called, in order. */
export function stubGateway(table: Readonly<Record<string, Answering>>): RecordedCall[] {
  const calls: RecordedCall[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    const call: RecordedCall = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    calls.push(call)
    const answering = table[`${call.method} ${call.path}`]
    const answer = typeof answering === 'function' ? await answering(call) : answering
    if (answer === undefined) throw new TypeError(`The line broke at ${call.method} ${call.path}`)
    return new Response(JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: { 'content-type': 'application/json' },
    })
  })
  return calls
}

/** A failure as the gateway words it. */
export function problem(status: number, code: string, message: string, fields?: readonly unknown[]): Answer {
  return {
    status,
    body: { success: false, code, message, requestId: 'r-1', ...(fields ? { fields } : {}) },
  }
}
