import type { UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { isCallProblem } from '#client/platform/call.ts'
import { newIdempotencyKey } from '#client/platform/idempotency-key.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'

export const keyed = (key: string) => ({ 'idempotency-key': key })

/** True when the request may have been carried out: no answer came, or the server failed. */
const isOutcomeUnknown = (error: unknown) =>
  !isCallProblem(error) || error.status < 400 || error.status >= 500

/** A text that identifies the content; a photograph counts by its length. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? part.byteLength : part))

/**
 * Sends a value once, however often the button is pressed. While the outcome is unknown, the same value is sent again under
 * the same key; another value gets another key.
 */
export function useSending<V, A>(
  send: (value: V, key: string) => Promise<A>,
  options: Pick<UseMutationOptions<A, Error, V>, 'onSuccess' | 'onError' | 'onSettled'> = {},
) {
  const open = useRef<{ content: string; key: string }>(undefined)
  const { mutate, isPending, error } = useSingleMutation({
    ...options,
    // Names and phones in an answer are not kept in memory.
    gcTime: 0,
    async mutationFn(value: V) {
      const content = textOf(value)
      if (open.current?.content !== content) open.current = { content, key: newIdempotencyKey() }
      try {
        const answer = await send(value, open.current.key)
        open.current = undefined
        return answer
      } catch (failure) {
        if (!isOutcomeUnknown(failure)) open.current = undefined
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
