import { type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { useConnection } from '#client/platform/connection.ts'
import { reloadDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { renewFailedParts } from './lazy-part.ts'
import { isChunkGone } from './release.ts'
import './shell.texts.ts'

/** Around one page: what fails there leaves the shell, the draft and the other pages as they are. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever leaves a page that failed may come back to it
  useEffect(() => renewFailedParts, [pathname])

  function fallback(problem: unknown, retry: (() => void) | undefined): ReactNode {
    if (retry === undefined) return <PageFailure problem={problem} />
    return (
      <PageFailure
        problem={problem}
        onRetry={() => {
          renewFailedParts()
          retry()
        }}
      />
    )
  }

  return (
    <ErrorBoundary resetKey={pathname} fallback={fallback}>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

interface PageFailureProps {
  problem: unknown
  /** Draws the page again in place. Where that has not helped, reloading is the only honest remedy left. */
  onRetry?: () => void
}

/** In the place of a page that failed to load or to draw. */
export function PageFailure({ problem, onRetry = reloadDocument }: PageFailureProps) {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  if (isChunkGone(problem)) return <NewVersion />
  return (
    <Page title={t('failure.title')}>
      {/* Without a network the chunk is what is missing, and its error has no words for people. */}
      <FailureState
        problem={connection === 'offline' ? t('unreachable', { ns: 'platform' }) : problem}
        onRetry={onRetry}
      />
      {/* A full load, like the button: what has failed may be the router. */}
      <p className="page-failure-home">
        <a href={paths.home}>{t('failure.home')}</a>
      </p>
    </Page>
  )
}

/** A release has taken the place of the version on screen. */
function NewVersion() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('release.title')}>
      <div className="state" role="alert">
        <p className="state-text">{t('release.text')}</p>
        <button type="button" className="button button-primary" onClick={reloadDocument}>
          {t('release.load')}
        </button>
      </div>
    </Page>
  )
}
