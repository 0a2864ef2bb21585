import type { ReactNode } from 'react'
import { reloadDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Page } from '#client/ui/page.tsx'
import { reportError } from './error-reports.ts'
import { NewVersion } from './page-failure.tsx'
import { isChunkGone } from './release.ts'
import styles from './shell.module.css'

/** The error boundary above the frame of all pages: an error in the frame shows a page with a button that loads it again. */
export function AppBoundary({ children }: { readonly children: ReactNode }) {
  return (
    <ErrorBoundary
      resetKey="app"
      fallback={(problem: unknown) => <FrameFailure problem={problem} />}
      onError={reportError}
    >
      {children}
    </ErrorBoundary>
  )
}

/** Above the router and the session, so it uses neither. */
function FrameFailure({ problem }: { readonly problem: unknown }) {
  const { t } = useTranslation('shell')
  return (
    <main className={styles.content}>
      {isChunkGone(problem) ? (
        <NewVersion />
      ) : (
        <Page title={t('failure.title')}>
          <FailureState problem={problem} onRetry={reloadDocument} />
        </Page>
      )}
    </main>
  )
}
