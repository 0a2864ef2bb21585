import { useQuery } from '@tanstack/react-query'
import { useIsHydrated } from '#client/platform/use-is-hydrated.ts'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { configQuery } from './config.queries.ts'

/** The configuration for the prerendered pages, which do not wait for it; undefined until it is known. */
export function useConfig(): PublicConfig | undefined {
  const config = useQuery(configQuery).data
  return useIsHydrated() ? config : undefined
}
