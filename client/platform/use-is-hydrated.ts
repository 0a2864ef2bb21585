import { useEffect, useSyncExternalStore } from 'react'

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

/**
 * Marks what a served page shows to `audience` alone: before-app.js hides it (base.css) from others who are likely signed in.
 * Without effect once the app has taken the page over.
 */
export function useServedFor(audience: 'visitor' | 'pilgrim') {
  return useIsHydrated() ? {} : { 'data-served-for': audience }
}

let isTakingOver = false

/** Called when React begins to take over a prerendered page. */
export function beginHydration(): void {
  isTakingOver = true
}

/** True until the page itself, which comes after the shell, is taken over: a language set before would not fit its texts. */
export const isHydrating = (): boolean => isTakingOver

/** For the boundary of the page: its effects run when it is taken over. */
export function useEndOfHydration(): void {
  useEffect(() => {
    isTakingOver = false
  }, [])
}
