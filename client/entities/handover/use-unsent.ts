import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isToBeRecorded, type OutboxEntry } from './outbox.rules.ts'

/**
 * The bags that the agent has confirmed and that the server does not know yet, by their numbers. It takes them
 * from the cache of `useOutbox` and reads nothing, so that a list does not wait for the outbox.
 */
export function useUnsent(agentId: number): ReadonlySet<string> {
  const client = useQueryClient()
  const entries = useSyncExternalStore(
    useCallback((onChange) => client.getQueryCache().subscribe(onChange), [client]),
    () => client.getQueryData<readonly OutboxEntry[]>(['outbox', agentId]),
  )
  return new Set(entries?.filter(isToBeRecorded).map(({ awb }) => awb))
}
