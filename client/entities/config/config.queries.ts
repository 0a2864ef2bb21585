import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { readConfig } from '#shared/config/config.operations.ts'

const queryKey = ['config'] as const

declare global {
  interface Window {
    /** The answer that a document has asked for before the app (client/documents/fill-in.ts). */
    servedConfig?: { readonly config: PublicConfig; readonly at: number }
  }
}

const served = () => (typeof window === 'undefined' ? undefined : window.servedConfig)

/** `stops` change at any time, promises and the version of the terms at midnight in Riyadh, everything else with a restart of the gateway. */
export const configQuery = queryOptions({
  queryKey,
  // A repeated call skips the browser's cache, which keeps an answer for a minute.
  queryFn: ({ signal, client }) =>
    call(readConfig, { signal, isFresh: client.getQueryData(queryKey) !== undefined }),
  initialData: () => served()?.config,
  initialDataUpdatedAt: () => served()?.at,
  staleTime: 60_000,
})
