import { type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useConnection, useNetworkReturn } from '#client/platform/connection.ts'
import { reloadDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Page } from '#client/ui/page.tsx'
import { HandedOverScene } from '#client/ui/scene.tsx'
import { State } from '#client/ui/state.tsx'
import { reportError } from './error-reports.ts'
import { KeptLink, NeedsConnection } from './kept-links.tsx'
import { renewFailedParts } from './lazy-part.ts'
import { PageWaiting } from './page-waiting.tsx'
import { isChunkGone } from './release.ts'

/** The error boundary around one page: a failure there leaves the shell, the draft and the other pages working. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a failed page renews it for the next visit
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
    <ErrorBoundary resetKey={pathname} fallback={fallback} onError={reportError}>
      <Suspense fallback={<PageWaiting />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

interface PageFailureProps {
  problem: unknown
  /** Renders the page again in place. Default: reload, for when that did not help. */
  onRetry?: () => void
}

/** Shown instead of a page that failed to load or to render. */
export function PageFailure({ problem, onRetry = reloadDocument }: PageFailureProps) {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  const { pathname } = useLocation()
  useNetworkReturn(onRetry)
  if (isChunkGone(problem)) return <NewVersion />
  // A chunk is missing; its error message is not meant for users.
  if (connection === 'offline') return <NeedsConnection onRetry={onRetry} />
  return (
    <Page title={t('failure.title')}>
      <FailureState problem={problem} onRetry={onRetry} />
      <KeptLink />
      {pathname === paths.home ? null : (
        // A full page load: the router itself may have failed.
        <ButtonLink look="quiet" href={paths.home}>
          {t('failure.home')}
        </ButtonLink>
      )}
    </Page>
  )
}

/** The version on screen was replaced by a release. */
export function NewVersion() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('release.title')}>
      <State role="alert" scene={<HandedOverScene />} text={t('release.text')}>
        <Button look="primary" onClick={reloadDocument}>
          {t('release.load')}
        </Button>
      </State>
    </Page>
  )
}
