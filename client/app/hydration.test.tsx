// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, it, vi } from 'vitest'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { setLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { createQueryClient } from '#client/platform/query-client.ts'
import { beginHydration, isHydrating } from '#client/platform/use-is-hydrated.ts'
import { SessionProvider } from '#client/session/session-provider.tsx'
import { brand } from '#shared/platform/brand.ts'
import { pageAt, pages } from '#shared/platform/pages.ts'
import { configOf } from '#test/builders/answer.builder.ts'
import { noSession, stubGateway } from '#test/kit/render-page.tsx'
import { loadPage } from './pages.ts'
import { AppRoutes } from './router.tsx'
import { routes } from './routes.ts'

const operatorPhone = '+966 9 1234'

const config = configOf({
  contact: { ...brand.contact, phone: operatorPhone },
  appLink: 'https://apps.example/amtiati',
})

beforeEach(() => {
  void setLanguage('en')
  stubGateway(noSession)
})

function app(path: string, queryClient = createQueryClient()) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <MemoryRouter initialEntries={[path]}>
          <AppRoutes />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>
  )
}

const prerendered = Object.values(pages).filter(
  (path) => routes[pageAt(path) ?? 'home'].prerender !== undefined,
)

it.each(prerendered)('an answer that comes before %s is taken over changes nothing in it', async (path) => {
  await loadPage(path)
  const root = document.createElement('div')
  root.innerHTML = renderToString(app(path))
  const served = root.querySelector('main h1')
  document.body.replaceChildren(root)
  const answered = createQueryClient()
  answered.setQueryData(configQuery.queryKey, config)
  const failures: unknown[] = []
  beginHydration()
  await act(async () => {
    hydrateRoot(root, app(path, answered), { onRecoverableError: (problem) => void failures.push(problem) })
  })
  expect(failures).toEqual([])
  expect(root.querySelector('main h1')).toBe(served)
  expect(root.textContent).toContain(operatorPhone)
  expect(isHydrating()).toBe(false)
})

it('a served page stays where its reader has scrolled it to before it is taken over', async () => {
  await loadPage(paths.home)
  const address = `${paths.home}#services`
  const root = document.createElement('div')
  root.innerHTML = renderToString(app(address))
  document.body.replaceChildren(root)
  expect(document.getElementById('services')).not.toBeNull()
  const scrolled = vi.fn()
  Element.prototype.scrollIntoView = scrolled
  beginHydration()
  await act(async () => void hydrateRoot(root, app(address)))
  expect(isHydrating()).toBe(false)
  expect(scrolled).not.toHaveBeenCalled()
})

it('a language chosen before the page is taken over is left to the server', async () => {
  await loadPage(paths.privacyPolicy)
  const root = document.createElement('div')
  root.innerHTML = renderToString(app(paths.privacyPolicy))
  document.body.replaceChildren(root)
  await act(async () => void hydrateRoot(root, app(paths.privacyPolicy)))
  const isLeftToServer = () => {
    const submit = new Event('submit', { bubbles: true, cancelable: true })
    act(() => void root.querySelector('form[data-language]')?.dispatchEvent(submit))
    return !submit.defaultPrevented
  }
  expect(isLeftToServer()).toBe(false)
  void setLanguage('en')
  // As while the page is still to come.
  beginHydration()
  expect(isLeftToServer()).toBe(true)
})
