import { useEffect, useRef } from 'react'

/*
 * Navigation between documents. The payment page is one of its own, because only its policy may load the
 * provider's script; the router cannot go there or leave it.
 */

export function openDocument(href: string): void {
  window.location.assign(href)
}

/** Leaves no entry in the history: Back does not return to the page that was left. */
export function replaceDocument(href: string): void {
  window.location.replace(href)
}

export function reloadDocument(): void {
  window.location.reload()
}

/** What the style sheets print: no navigation, black on white. */
export function printDocument(): void {
  window.print()
}

/**
 * Runs when Back revives the page as it was left. Whatever said "we are taking you there" must then stop
 * saying so: nothing else would ever run again to end it.
 */
export function useRevived(onRevived: () => void): void {
  const latest = useRef(onRevived)
  useEffect(() => {
    latest.current = onRevived
  })
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) latest.current()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])
}
