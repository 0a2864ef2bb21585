import type { ReactNode } from 'react'

/** Phones, AWBs, order numbers and e-mail addresses: read from left to right, whatever text surrounds them. */
export function Ltr({ children }: { children: ReactNode }) {
  return <bdi dir="ltr">{children}</bdi>
}
