// @vitest-environment jsdom
import { onlineManager, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CallProblem } from './call.ts'
import { createQueryClient } from './query-client.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  onlineManager.setOnline(true)
})

it.each(['started', 'went'])(
  'a query that failed in a document that %s offline is refetched when the network returns',
  async (how) => {
    let isLineUp = false
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(how === 'went')
    function Shown() {
      const { data, isError } = useQuery({
        queryKey: ['orders'],
        queryFn: async () => {
          if (!isLineUp) throw new Error('offline')
          return 'orders'
        },
      })
      return <p>{isError ? 'failed' : (data ?? 'waiting')}</p>
    }
    render(
      <QueryClientProvider client={createQueryClient()}>
        <Shown />
      </QueryClientProvider>,
    )
    await screen.findByText('failed')
    if (how === 'went') act(() => void window.dispatchEvent(new Event('offline')))
    isLineUp = true
    onLine.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    await screen.findByText('orders')
  },
)

it('a query offline fails instead of pausing', async () => {
  vi.useFakeTimers()
  onlineManager.setOnline(false)
  const unreachable = async () => {
    throw new CallProblem({ code: 'UNREACHABLE', status: 0, message: 'No network' })
  }
  function Shown() {
    const query = useQuery({ queryKey: ['orders'], queryFn: unreachable })
    const { mutate, status } = useMutation({ mutationFn: unreachable })
    return (
      <button type="button" onClick={() => mutate()}>
        {`${query.status} ${status}`}
      </button>
    )
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Shown />
    </QueryClientProvider>,
  )
  const button = screen.getByRole('button')
  act(() => button.click())
  // After two retries, one and two seconds later.
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  expect(button.textContent).toBe('error error')
})
