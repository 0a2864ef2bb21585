// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPage, stubNavigator } from '#test/kit/client/render-page.tsx'
import { preloadOnIntent } from './navigation.ts'
import { loadPage } from './pages.ts'

vi.mock(import('./pages.ts'), async (load) => ({ ...(await load()), loadPage: vi.fn(async () => {}) }))

function Links() {
  useEffect(preloadOnIntent, [])
  return (
    <>
      <a href="/booking?x=1">
        <span>Book</span>
      </a>
      <a href="https://elsewhere.example/orders">Elsewhere</a>
      <p>Text</p>
    </>
  )
}

it.each(['pointerOver', 'touchStart', 'focusIn'] as const)('%s loads the page of a link, once', (event) => {
  vi.mocked(loadPage).mockClear()
  renderPage(<Links />)
  const started = vi.mocked(loadPage).mock.calls
  fireEvent[event](screen.getByText('Text'))
  fireEvent[event](screen.getByText('Elsewhere'))
  expect(started).toEqual([])
  fireEvent[event](screen.getByText('Book'))
  fireEvent[event](screen.getByText('Book'))
  expect(started).toEqual([['/booking']])
})

it('loads nothing early for a browser that saves data', () => {
  vi.mocked(loadPage).mockClear()
  stubNavigator({ connection: { saveData: true } })
  renderPage(<Links />)
  fireEvent.pointerOver(screen.getByText('Book'))
  expect(loadPage).not.toHaveBeenCalled()
})
