import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Note } from '#client/ui/note.tsx'
import styles from './kept-note.module.css'
import type { Kept } from './kept-orders.queries.ts'

/** Says when what is shown was last known. That there is no network is said below the top bar. */
export function KeptNote({ knownAt, reason }: Kept) {
  const { t } = useTranslation('kept-note')
  const language = useLanguage()
  const isOffline = useConnection() === 'offline'
  const iso = new Date(knownAt).toISOString()
  return (
    <Note tone="pending" icon="offline" className={styles.keptNote} role="status">
      <div>
        <p className={styles.title}>
          {t(isOffline ? 'offline' : reason === 'waiting' ? 'waiting' : 'unreachable')}
        </p>
        <p>
          {t('knownAt')} <time dateTime={iso}>{formatDateTime(iso, language)}</time>
        </p>
      </div>
    </Note>
  )
}
