import type { UseMutationOptions } from '@tanstack/react-query'
import { useSingleMutation } from '#client/platform/single-mutation.ts'

export const keyed = (key: string) => ({ 'idempotency-key': key })

/** A text that identifies the content; a photograph counts by its length. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? part.byteLength : part))

/** Sends a value once, under one key for each content (platform/single-mutation.ts). */
export function useSending<V, A>(
  send: (value: V, key: string) => Promise<A>,
  options: Pick<UseMutationOptions<A, Error, V>, 'onSuccess' | 'onError' | 'onSettled'> = {},
) {
  const { mutate, isPending, error } = useSingleMutation({
    ...options,
    // Names and phones in an answer are not kept in memory.
    gcTime: 0,
    mutationFn: (value: V, keyOf) => send(value, keyOf(textOf(value))),
  })
  return {
    isPending,
    error,
    send: (value: V) => mutate(value),
  }
}
