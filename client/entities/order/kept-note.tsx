import { useConnection } from '#client/platform/connection.ts'
import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Note } from '#client/ui/note.tsx'
import styles from './kept-note.module.css'
import type { Kept } from './kept-orders.queries.ts'

/** The text key of the reason why orders come from the phone, and the time at which they were known. */
export function useKeptFacts({ knownAt, reason }: Kept) {
  const language = useLanguage()
  const isOffline = useConnection() === 'offline'
  const iso = new Date(knownAt).toISOString()
  return { why: isOffline ? ('offline' as const) : reason, iso, time: formatMoment(knownAt, language) }
}

/** Shows when the orders on screen were last known. The note below the top bar says that there is no network. */
export function KeptNote(kept: Kept) {
  const { t } = useTranslation('kept-note')
  const { why, iso, time } = useKeptFacts(kept)
  return (
    <Note tone="pending" icon="offline" className={styles.keptNote} role="status">
      <div>
        <p>
          <strong>{t(`why.${why}`)}</strong>
        </p>
        <p>
          {t('knownAt')} <time dateTime={iso}>{time}</time>
        </p>
      </div>
    </Note>
  )
}
