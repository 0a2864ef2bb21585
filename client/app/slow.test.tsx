// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { noSession, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AppRoutes } from './router.tsx'

// Never loads.
vi.mock('#client/features/account/account.page.tsx', () => new Promise(() => {}))

it('a slow chunk of a page shows the connection note', async () => {
  vi.useFakeTimers()
  stubGateway({
    ...noSession,
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
