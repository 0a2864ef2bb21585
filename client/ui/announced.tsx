import type { ReactNode } from 'react'

/** Text for screen readers only. Mount it before its text: a live region mounted with its text is not announced. */
export const Announced = ({ children }: { readonly children: ReactNode }) => (
  <p className="visually-hidden" role="status">
    {children}
  </p>
)
