import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { configQuery } from './config.queries.ts'

/** The configuration for pages that do not wait for it; undefined until it is known. */
export const useConfig = (): PublicConfig | undefined => useQuery(configQuery).data

/**
 * Surrounds pages that wait for the configuration (app/with-config.tsx). They do not read the cache again: it is wiped when
 * another person signs in, while the page of the person before is still mounted.
 */
export const LoadedConfig = createContext<PublicConfig | undefined>(undefined)

export function useLoadedConfig(): PublicConfig {
  const config = useContext(LoadedConfig)
  if (config === undefined) throw new Error('useLoadedConfig needs a LoadedConfig above it')
  return config
}
