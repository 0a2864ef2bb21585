import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import { Icon } from '#client/ui/icon.tsx'
import './connection-note.css'

/** Below the top bar, and in view when that has scrolled away. The live region is always mounted, so that changes are announced. */
export function ConnectionNote() {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  return (
    <div className="connection" aria-live="polite">
      {connection === 'good' ? null : (
        <p className="connection-note">
          <Icon name={connection === 'offline' ? 'offline' : 'clock'} />
          {t(`connection.${connection}`)}
        </p>
      )}
    </div>
  )
}
