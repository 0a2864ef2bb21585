import type { UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { isCallProblem } from '#client/platform/call.ts'
import { newIdempotencyKey } from '#client/platform/idempotency-key.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'

export const keyed = (key: string) => ({ 'idempotency-key': key })

/** What became of it is not known: it may have been done. */
const isOpen = (error: unknown) => !isCallProblem(error) || error.status < 400 || error.status >= 500

/**
 * Sends what a form holds once, however often it is pressed. Pressed again while it is not known what became of it, it is sent
 * under the same key.
 */
export function useSending<V, A>(
  send: (value: V, key: string) => Promise<A>,
  options: Pick<UseMutationOptions<A, Error, V>, 'onSuccess' | 'onError' | 'onSettled'> = {},
) {
  const key = useRef<string>(undefined)
  const { mutate, isPending, error } = useSingleMutation({
    ...options,
    async mutationFn(value: V) {
      key.current ??= newIdempotencyKey()
      try {
        const answer = await send(value, key.current)
        key.current = undefined
        return answer
      } catch (failure) {
        if (!isOpen(failure)) key.current = undefined
        throw failure
      }
    },
  })
  return {
    isPending,
    error,
    send: (value: V, onSuccess?: (answer: A) => void) => mutate(value, { ...(onSuccess && { onSuccess }) }),
  }
}
