import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { paths } from '#client/platform/paths.ts'
import { Page } from '#client/ui/page.tsx'
import { Scene } from '#client/ui/scene.tsx'
import '#client/ui/buttons.css'
import './not-found.css'
import './shell.texts.ts'

export function NotFoundPage() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('notFound.title')} width="table">
      <div className="not-found">
        <Scene name="not-found" />
        <p>{t('notFound.text')}</p>
        <Link className="button button-primary" to={paths.home}>
          {t('notFound.home')}
        </Link>
      </div>
    </Page>
  )
}
