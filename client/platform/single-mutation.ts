import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { newIdempotencyKey } from './idempotency-key.ts'

/** A request that was sent and may not have arrived. */
export interface SentContent {
  /** As JSON. */
  readonly content: string
  readonly key: string
}

/** The idempotency key of a content: the same for each try until one succeeds. Another content has another key. */
export type KeyOf = (content?: unknown) => string

interface SingleMutationOptions<D, V> extends Omit<UseMutationOptions<D, Error, V>, 'mutationFn'> {
  readonly mutationFn: (variables: V, keyOf: KeyOf) => Promise<D>
  /** Stores the key, so that a reload does not lose it. */
  readonly keptKey?: {
    readonly read: () => SentContent | undefined
    readonly write: (sent: SentContent) => void
  }
}

/**
 * A mutation that sends once: while a call is under way, a second press gets its answer. A press after a failure is another try
 * of the same request, under the same key.
 */
export function useSingleMutation<D, V = void>({
  mutationFn,
  keptKey,
  ...options
}: SingleMutationOptions<D, V>): UseMutationResult<D, Error, V> {
  const sent = useRef<SentContent>(undefined)
  const running = useRef<Promise<D>>(undefined)

  function keyOf(given?: unknown): string {
    const content = JSON.stringify(given ?? null)
    const last = sent.current ?? keptKey?.read()
    sent.current = last?.content === content ? last : { content, key: newIdempotencyKey() }
    if (sent.current !== last) keptKey?.write(sent.current)
    return sent.current.key
  }

  const mutation = useMutation({
    ...options,
    async mutationFn(variables: V) {
      const answer = await mutationFn(variables, keyOf)
      sent.current = undefined
      return answer
    },
  })
  const { isPending } = mutation
  // A press between the answer and the render that shows it is the second one, too.
  useEffect(() => {
    if (!isPending) running.current = undefined
  })
  const mutateAsync: typeof mutation.mutateAsync = (...call) => {
    running.current ??= mutation.mutateAsync(...call)
    return running.current
  }
  return {
    ...mutation,
    mutateAsync,
    // The state of the mutation holds the failure.
    mutate: (...call) => void mutateAsync(...call).catch(() => undefined),
  }
}
