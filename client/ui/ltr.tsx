import type { ReactNode } from 'react'

/**
 * Left-to-right text inside any text: phones, AWBs, order numbers and e-mail addresses. A browser that translates the page
 * leaves it as it is.
 */
export function Ltr({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr" translate="no">
      {children}
    </bdi>
  )
}
