// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { useSingleMutation } from './single-mutation.ts'

afterEach(cleanup)

it('pressed twice at once it begins one call; after an answer, also the same one, it begins the next', async () => {
  const calls: PromiseWithResolvers<string>[] = []
  function Press() {
    const { mutate, data, isPending } = useSingleMutation({
      mutationFn: () => {
        const call = Promise.withResolvers<string>()
        calls.push(call)
        return call.promise
      },
    })
    return (
      <button type="button" onClick={() => mutate()}>
        {isPending ? 'sending' : (data ?? 'send')}
      </button>
    )
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Press />
    </QueryClientProvider>,
  )
  for (const sent of [1, 2, 3]) {
    const button = screen.getByRole('button')
    fireEvent.click(button)
    fireEvent.click(button)
    await screen.findByText('sending')
    expect(calls).toHaveLength(sent)
    calls.at(-1)?.resolve('sent')
    await screen.findByText('sent')
  }
})
