import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { paths } from '#client/platform/paths.ts'
import { Page } from '#client/ui/page.tsx'
import '#client/ui/buttons.css'
import './not-found.css'
import './shell.texts.ts'

export function NotFoundPage() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('notFound.title')}>
      <div className="not-found">
        <LostRoute />
        <p>{t('notFound.text')}</p>
        <Link className="button button-primary" to={paths.home}>
          {t('notFound.home')}
        </Link>
      </div>
    </Page>
  )
}

/** Decoration: a dotted route that ends before its pin. */
function LostRoute() {
  return (
    <svg className="not-found-picture" viewBox="0 0 240 96" aria-hidden="true" focusable="false">
      <path className="not-found-route" d="M16 72c28 0 30-40 60-40s28 40 56 40 24-20 34-26" />
      <circle className="not-found-start" cx="16" cy="72" r="7" />
      <path className="not-found-pin" d="M206 80s-17-15-17-29a17 17 0 0 1 34 0c0 14-17 29-17 29Z" />
      <circle className="not-found-dot" cx="206" cy="51" r="6" />
    </svg>
  )
}
