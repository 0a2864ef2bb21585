import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Icon } from '#client/ui/icon.tsx'
import { AppLink } from './documents.tsx'
import styles from './scan-link.module.css'

/** The agent's main action. It loads a new document: only that one may use the camera. */
export function ScanLink() {
  const { t } = useTranslation('scan-link')
  return (
    <AppLink className={`${buttonStyles.button} ${styles.scanLink}`} to={paths.agentScan} data-screen>
      <Icon name="scan" />
      {t('scan')}
    </AppLink>
  )
}
