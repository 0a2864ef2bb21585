// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SessionsProvider } from '#client/features/sessions/sessions.state.tsx'
import { problem, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { AppRoutes } from './router.tsx'

// Never comes, as on one bar of signal.
vi.mock('./controls.tsx', () => new Promise(() => {}))

it('the chunk of the controls is waited for in words, like every other wait', async () => {
  vi.useFakeTimers()
  const nobody = problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')
  stubGateway({
    'GET /api/auth/user': nobody,
    'GET /api/auth/agent': nobody,
    'GET /api/config': problem(503, 'UNREACHABLE', 'No.'),
  })
  renderRoom(
    <SessionsProvider>
      <AppRoutes />
    </SessionsProvider>,
    { at: '/auth' },
  )
  const slow = () => screen.queryByText(textOf('shell', 'connection.slow'))
  await act(() => vi.advanceTimersByTimeAsync(7_900))
  expect(slow()).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(slow()).toBeTruthy()
  vi.useRealTimers()
})
