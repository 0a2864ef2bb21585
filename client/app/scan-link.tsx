import { useTally } from '#client/entities/handover/use-tally.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Icon } from '#client/ui/icon.tsx'
import { AppLink } from './documents.tsx'
import styles from './scan-link.module.css'

/** The agent's main action, with the bags of today. It loads a new document: only that one may use the camera. */
export function ScanLink({ agentId }: { readonly agentId: number }) {
  const { t } = useTranslation('scan-link')
  const { today } = useTally(agentId)
  // The words are hidden while the search is open, so the name of the link does not depend on them.
  const name = today === 0 ? t('scan') : `${t('scan')} ${today} ${t('today')}`
  return (
    <AppLink
      aria-label={name}
      className={`${buttonStyles.button} ${styles.scanLink}`}
      to={paths.agentScan}
      data-screen
    >
      <Icon name="scan" />
      <span className={styles.words}>{t('scan')}</span>{' '}
      {today === 0 ? null : (
        <span className={styles.today}>
          <b>{today}</b> <span>{t('today')}</span>
        </span>
      )}
    </AppLink>
  )
}
