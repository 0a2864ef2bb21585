// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/render-page.tsx'
import { AppRoutes } from './router.tsx'

// Never loads.
vi.mock('./controls.tsx', () => new Promise(() => {}))

it('a slow chunk of the controls shows the connection note', async () => {
  vi.useFakeTimers()
  const notSignedIn = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
  stubGateway({
    'GET /api/auth/user': notSignedIn,
    'GET /api/auth/agent': notSignedIn,
    'GET /api/config': problem(503, 'UNREACHABLE', 'No.'),
  })
  renderPage(<AppRoutes />, { at: '/account' })
  const slow = () => screen.queryByText(textOf('shell', 'connection.slow'))
  await act(() => vi.advanceTimersByTimeAsync(7_900))
  expect(slow()).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(slow()).toBeTruthy()
  vi.useRealTimers()
})
