import type { ReactNode } from 'react'

/**
 * Gives a text an element of its own, for a place beside others. A browser that translates the page replaces text nodes, and
 * then React writes into a node that is gone; the text of an element it sets anew.
 */
export function Words({ children }: { readonly children: ReactNode }) {
  const isText = typeof children === 'string' || typeof children === 'number'
  return isText ? <span>{children}</span> : children
}
