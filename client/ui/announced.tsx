import type { ReactNode } from 'react'

/** Read out, and not shown. It exists before its text: one that is mounted together with its text is not announced. */
export const Announced = ({ children }: { readonly children: ReactNode }) => (
  <p className="visually-hidden" role="status">
    {children}
  </p>
)
