import { type ComponentType, createElement, type LazyExoticComponent, lazy } from 'react'

/** One function per failed part, which makes it load again. */
const renewals = new Set<() => void>()

/**
 * A component in a chunk of its own. React.lazy caches a failed load for ever; `renewFailedParts` makes it load again, so
 * that no reload is needed when the network is back.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  function fresh(): LazyExoticComponent<ComponentType<P>> {
    return lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        // Not renewed at once: React renders a failed part twice, which would load in a loop.
        renewals.add(renew)
        throw error
      }
    })
  }
  function renew(): void {
    part = fresh()
  }

  let part = fresh()
  return (props) => createElement(part as ComponentType<P>, props)
}

/** Parts whose chunks failed load again on their next render. */
export function renewFailedParts(): void {
  if (renewals.size === 0) return
  for (const renew of renewals) renew()
  renewals.clear()
  renewFailedStyles()
}

/** Vite requests a chunk's styles once per document: without this, failed styles would stay missing. */
function renewFailedStyles(): void {
  for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode())
  }
}
