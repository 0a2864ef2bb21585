import { onlineManager, QueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#shared/platform/operation.ts'
import { isCallProblem } from './call.ts'
import { isOnline, onNetworkChange } from './connection.ts'

/** Beyond this wait the user decides whether to try again. */
const maxRetryPauseMs = 30_000

/** True for failures that may be over soon: no answer, or a 5xx. A refusal (4xx) is final. */
export function isTransient(error: unknown): boolean {
  if (!isCallProblem(error) || (error.retryAfterSeconds ?? 0) * 1_000 > maxRetryPauseMs) return false
  return error.status === 0 || error.status >= 500
}

/**
 * Pause before the next try in milliseconds. Up to half of the server's `Retry-After` is added at random, so that clients
 * refused in the same second do not return in the same second.
 */
export function retryPauseMs(failures: number, error: unknown): number {
  const asked = isCallProblem(error) ? error.retryAfterSeconds : undefined
  if (asked === undefined) return Math.min(1_000 * 2 ** failures, maxRetryPauseMs)
  return asked * 1_000 * (1 + Math.random() / 2)
}

/** The query key of an operation: features that read the same operation share one cached answer. */
export function operationKey(operation: Endpoint, params?: Readonly<Record<string, string>>) {
  return [operation.method, operation.path, params ?? {}] as const
}

/**
 * Reads again what the page shows of these keys. A first reading, which has no answer yet, is not given up for another one: the
 * answer may be older than the change, so that the page reads once more after it.
 * @throws what a reading failed with
 */
export async function readAgain(
  client: QueryClient,
  ...queryKeys: readonly (readonly unknown[])[]
): Promise<void> {
  const read = (queryKey: readonly unknown[]) =>
    client.invalidateQueries({ queryKey }, { throwOnError: true })
  await Promise.all(
    queryKeys.map(async (queryKey) => {
      const isFirst = client.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0
      await read(queryKey)
      if (isFirst) await read(queryKey)
    }),
  )
}

export function createQueryClient(): QueryClient {
  // Not while documents are rendered. The manager takes a document for online until its first event, so it would miss the
  // first return of the network.
  if (typeof window !== 'undefined')
    onlineManager.setEventListener((setOnline) => {
      setOnline(isOnline())
      return onNetworkChange(setOnline)
    })
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The default pauses silently while offline; 'always' fails, so that the page shows the failure and a button.
        networkMode: 'always',
        // Off by default with networkMode 'always'.
        refetchOnReconnect: true,
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        retryDelay: retryPauseMs,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
