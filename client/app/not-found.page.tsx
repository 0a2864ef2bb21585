import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Page } from '#client/ui/page.tsx'
import { bag, hill, paper, print, Scene, tag, thread } from '#client/ui/scene.tsx'
import styles from './not-found.module.css'

export function NotFoundPage() {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('notFound.title')} width="table">
      <div className={`${layout.stack} ${layout.gap4} ${styles.notFound}`}>
        <NotFoundScene />
        <p>{t('notFound.text')}</p>
        <ButtonLink look="primary" to={paths.home}>
          {t('notFound.home')}
        </ButtonLink>
      </div>
    </Page>
  )
}

function NotFoundScene() {
  return (
    <Scene>
      <path {...hill} d="M8 140Q36 130 46 98q10 32 38 42Zm140 0q28-10 38-42q10 32 38 42Z" />
      <path d="M12 140h216" />
      <path {...bag} d="M38 92h50a6 6 0 0 1 6 6v36a6 6 0 0 1-6 6H38a6 6 0 0 1-6-6V98a6 6 0 0 1 6-6Z" />
      <path d="M52 92V80h22v12M46 92v48M80 92v48" />
      <path {...thread} d="M63 80C70 50 92 90 104 62S112 40 126 44" />
      <g transform="rotate(10 126 44)">
        <path {...tag} d="M116 34l14-14h82a4 4 0 0 1 4 4v40a4 4 0 0 1-4 4h-82l-14-14Z" />
        <path {...paper} d="M127 40a4 4 0 1 0 0 8a4 4 0 0 0 0-8Z" />
        <path
          {...print}
          strokeWidth="5"
          d="M151 32l-9 16h15M154 42v14M168 32h10v24h-10ZM196 32l-9 16h15M199 42v14"
        />
      </g>
    </Scene>
  )
}
