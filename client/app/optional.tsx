import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'

interface OptionalProps {
  /** A part that failed is rendered again when this key changes. */
  readonly resetKey?: string
  readonly children: ReactNode
}

/** A part without which the page works, too: it is left out while it loads, and when it fails. */
export function Optional({ resetKey = '', children }: OptionalProps) {
  return (
    <ErrorBoundary resetKey={resetKey} fallback={() => null}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}
