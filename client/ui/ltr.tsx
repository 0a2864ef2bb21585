import type { ReactNode } from 'react'

/** Left-to-right text inside any text: phones, AWBs, order numbers and e-mail addresses. */
export function Ltr({ children }: { children: ReactNode }) {
  return <bdi dir="ltr">{children}</bdi>
}
