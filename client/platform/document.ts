import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/*
 * Navigation between documents. The payment page is a document of its own, because only its content policy allows the
 * provider's script; the router cannot go there or leave it.
 */

/** The element the app renders into. */
export const rootId = 'root'

/** The page that the server sent in the document; null once the app has replaced it (client/app/served-page.tsx). */
export const servedPage = (): HTMLElement | null => document.getElementById('served')

/** True when that is the page itself, not only the frame of all pages (client/prerender.tsx). */
export const hasServedPage = (): boolean => servedPage()?.dataset.frame === undefined && servedPage() !== null

/** Loads the web fonts of a served page that have waited for the app (before-app.js). */
export function loadFonts(): void {
  document.querySelector('[data-fonts]')?.removeAttribute('media')
}

export function openDocument(href: string): void {
  window.location.assign(href)
}

/** Replaces the history entry: Back does not return to this page. */
export function replaceDocument(href: string): void {
  window.location.replace(href)
}

export function reloadDocument(): void {
  window.location.reload()
}

export function printDocument(): void {
  window.print()
}

/**
 * Runs when Back restores the page from the back/forward cache. Busy states from before the navigation must be reset
 * then, because no other code runs.
 */
export function useBfcacheRestore(onRestore: () => void): void {
  const onPageShow = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) onRestore()
  })
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => onPageShow(event)
    window.addEventListener('pageshow', listener)
    return () => window.removeEventListener('pageshow', listener)
  }, [])
}

/** False while the page is hidden: behind another tab or window, or with the screen off. */
export function useIsShown(): boolean {
  return useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible')
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
