import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useIsHydrated } from '#client/platform/use-is-hydrated.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { configQuery } from './config.queries.ts'

/** The configuration for the prerendered pages, which do not wait for it; undefined until it is known. */
export function useConfig(): PublicConfig | undefined {
  const config = useQuery(configQuery).data
  return useIsHydrated() ? config : undefined
}

/**
 * Around what waits for the configuration (app/with-config.tsx). Not read from the cache again: that is wiped when another
 * person signs in, while the page of the one before is still there.
 */
export const LoadedConfig = createContext<PublicConfig | undefined>(undefined)

export function useLoadedConfig(): PublicConfig {
  const config = useContext(LoadedConfig)
  if (config === undefined) throw new Error('useLoadedConfig needs a LoadedConfig above it')
  return config
}
