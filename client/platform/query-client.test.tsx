// @vitest-environment jsdom
import { onlineManager, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CallProblem } from './call.ts'
import { createQueryClient, readAgain } from './query-client.ts'

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

it('reads once more after a first reading that was under way when the order changed', async () => {
  const readings: PromiseWithResolvers<string>[] = []
  const client = createQueryClient()
  function Shown() {
    const { data } = useQuery({
      queryKey: ['orders', 7],
      queryFn: () => {
        const reading = Promise.withResolvers<string>()
        readings.push(reading)
        return reading.promise
      },
    })
    return <p>{data ?? 'waiting'}</p>
  }
  render(
    <QueryClientProvider client={client}>
      <Shown />
    </QueryClientProvider>,
  )
  const done = readAgain(client, ['orders'])
  readings[0]?.resolve('as before')
  await screen.findByText('as before')
  await vi.waitFor(() => expect(readings).toHaveLength(2))
  readings[1]?.resolve('changed')
  await screen.findByText('changed')
  await done
  // With an answer on screen one reading is enough, and gives up the one that is under way.
  void client.refetchQueries({ queryKey: ['orders'] })
  const again = readAgain(client, ['orders'])
  readings[3]?.resolve('changed again')
  await again
  expect(readings).toHaveLength(4)
  await screen.findByText('changed again')
})

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
