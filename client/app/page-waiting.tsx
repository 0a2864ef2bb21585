import { useTranslation } from 'react-i18next'
import { Loading } from '#client/ui/loading.tsx'
import { TagOutline } from '#client/ui/tag-outline.tsx'
import type { PageName } from '#shared/platform/pages.ts'
import { routes } from './routes.ts'
import styles from './shell.module.css'

interface PageWaitingProps {
  /** Undefined for an address that is no page. */
  readonly page: PageName | undefined
  /** Of the spinner. */
  readonly label?: string
}

/** In place of a page that is still to come. */
export function PageWaiting({ page, label }: PageWaitingProps) {
  const { t } = useTranslation('shell')
  const outline = page && routes[page].outline
  if (outline === undefined) return <Loading {...(label === undefined ? {} : { label })} />
  return (
    <div className={styles.waiting}>
      <p className={styles.waitingTitle} role="status">
        {outline === 'payment' ? t('checkingPayment') : (label ?? t('restoring'))}
      </p>
      <TagOutline />
    </div>
  )
}
