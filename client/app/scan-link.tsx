import { useTranslation } from 'react-i18next'
import { paths } from '#client/platform/paths.ts'
import { Icon } from '#client/ui/icon.tsx'
import { AppLink } from './documents.tsx'
import './scan-link.css'
import '#client/ui/buttons.css'

/** The agent's main action. It loads a new document: only that one may use the camera. */
export function ScanLink() {
  const { t } = useTranslation('scan-link')
  return (
    <AppLink className="button scan-link" to={paths.agentScan}>
      <Icon name="scan" />
      {t('scan')}
    </AppLink>
  )
}
