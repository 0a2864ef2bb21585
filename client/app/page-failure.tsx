import { useTranslation } from 'react-i18next'
import { reloadDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Page } from '#client/ui/page.tsx'
import { isChunkGone } from './release.ts'
import './shell.texts.ts'

/** In the place of a page that failed to load or to draw. Reloading is the only honest remedy left. */
export function PageFailure({ problem }: { problem: unknown }) {
  const { t } = useTranslation('shell')
  if (isChunkGone(problem)) return <NewVersion />
  return (
    <Page title={t('failure.title')}>
      <FailureState problem={problem} onRetry={reloadDocument} />
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
