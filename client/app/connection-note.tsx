import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import { Icon } from '#client/ui/icon.tsx'
import styles from './connection-note.module.css'

/** Below the top bar, and in view when that has scrolled away. The live region is always mounted, so that changes are announced. */
export function ConnectionNote() {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  return (
    <div className={styles.connection} aria-live="polite">
      {connection === 'good' ? null : (
        <p className={styles.connectionNote}>
          <Icon name={connection === 'offline' ? 'offline' : 'clock'} />
          {t(`connection.${connection}`)}
        </p>
      )}
    </div>
  )
}
