import type { ReactNode } from 'react'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { reportError } from './error-reports.ts'
import { PageFailure } from './page-failure.tsx'
import styles from './shell.module.css'

/** The error boundary above the frame of all pages: an error in the frame shows a page with a button that loads it again. */
export function AppBoundary({ children }: { readonly children: ReactNode }) {
  const fallback = (problem: unknown) => (
    <main className={styles.content}>
      <PageFailure problem={problem} />
    </main>
  )
  return (
    <ErrorBoundary resetKey="app" fallback={fallback} onError={reportError}>
      {children}
    </ErrorBoundary>
  )
}
