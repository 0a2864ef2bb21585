import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Page } from '#client/ui/page.tsx'
import { Scene } from '#client/ui/scene.tsx'
import styles from './not-found.module.css'

export function NotFoundPage() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('notFound.title')} width="table">
      <div className={`${layout.stack} ${layout.gap4} ${styles.notFound}`}>
        <Scene name="not-found" />
        <p>{t('notFound.text')}</p>
        <ButtonLink look="primary" to={paths.home}>
          {t('notFound.home')}
        </ButtonLink>
      </div>
    </Page>
  )
}
