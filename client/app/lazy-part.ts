import { type ComponentType, createElement, type LazyExoticComponent, lazy, useState } from 'react'

/** One function per failed part, which makes it load again. */
const renewals = new Set<() => void>()

/** A component in a chunk of its own. */
export type LazyPart<P extends object> = ComponentType<P> & {
  /** Loads the chunk before the first render, which then shows the part without a fallback. */
  readonly preload: () => Promise<void>
}

/**
 * React.lazy caches a failed load for ever; `renewFailedParts` makes it load again, so that no reload is needed when the
 * network is back.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  function fresh(): LazyExoticComponent<ComponentType<P>> {
    return lazy(async () => {
      try {
        return { default: await withStyles(load) }
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
  async function preload(): Promise<void> {
    part = await withStyles(load)
  }

  let part: ComponentType<P> | LazyExoticComponent<ComponentType<P>> = fresh()
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, when its module loads.
  function Part(props: P) {
    // The type is chosen once: another type would remount the part on screen.
    const [chosen] = useState(() => part)
    return createElement(chosen as ComponentType<P>, props)
  }
  return Object.assign(Part, { preload })
}

/** Parts whose chunks failed load again on their next render. */
export function renewFailedParts(): void {
  for (const renew of renewals) renew()
  renewals.clear()
}

const failedStyles = new Set<HTMLLinkElement>()
let renewedStyles: Promise<unknown> = Promise.resolve()

if (typeof window !== 'undefined')
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
    },
    // The event of an element does not bubble.
    { capture: true },
  )

/**
 * Vite requests a chunk's styles once per document, also when only a preload asked for them: without this, styles that
 * failed would stay missing although the chunk is loaded later.
 * @throws when they fail again.
 */
async function withStyles<T>(load: () => Promise<T>): Promise<T> {
  const part = await load()
  const failed = [...failedStyles]
  failedStyles.clear()
  const before = renewedStyles.catch(() => undefined)
  renewedStyles = Promise.all([before, ...failed.map(requestAgain)])
  await renewedStyles
  return part
}

function requestAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new Error(`no styles from ${link.href}`)))
    link.replaceWith(again)
  })
}
