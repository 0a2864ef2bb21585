import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { configQuery } from './config.queries.ts'

/** The configuration for pages that do not wait for it; undefined until it is known. */
export const useConfig = (): PublicConfig | undefined => useQuery(configQuery).data

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
