import { useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/**
 * False while React takes over a prerendered page, which it does piece by piece: an answer that has come meanwhile must not
 * be shown before the piece is as it was served. True in everything that is rendered later.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
}
