import { type ComponentType, createElement, type LazyExoticComponent, lazy } from 'react'

/** What makes each part that failed load again. */
const renewals = new Set<() => void>()

/**
 * A component that comes with a chunk of its own. React remembers for ever that a chunk could not be had; here
 * `renewFailedParts` makes it ask anew, so that a person whose signal is back goes on without a reload.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  function fresh(): LazyExoticComponent<ComponentType<P>> {
    return lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        // Not at once: React draws a failed part a second time by itself, and that would ask for ever.
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

/** Lets the parts whose chunks failed load when they are drawn next. */
export function renewFailedParts(): void {
  if (renewals.size === 0) return
  for (const renew of renewals) renew()
  renewals.clear()
  renewFailedStyles()
}

/** Vite asks for the styles of a chunk once in a document's life: a page whose styles failed would come without any. */
function renewFailedStyles(): void {
  for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode())
  }
}
