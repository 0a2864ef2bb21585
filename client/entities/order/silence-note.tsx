import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { Note } from '#client/ui/note.tsx'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { hoursOfSilence } from './silence.rules.ts'
import styles from './silence-note.module.css'

/** A page that stays open also shows the note, once enough hours have passed. */
const everyMs = 5 * 60_000

interface SilenceNoteProps {
  readonly journey: Pick<Booking, 'state' | 'lastEventAt'>
}

/** Shows the hours since the last event of a bag on its way; nothing while they are few. */
export function SilenceNote({ journey }: SilenceNoteProps) {
  const { t } = useTranslation('silence-note')
  const silenceHours = useQuery(configQuery).data?.tracking.silenceHours
  const now = useNow(everyMs)
  const hours = silenceHours === undefined ? undefined : hoursOfSilence(journey, silenceHours, now)
  return hours === undefined ? null : (
    <Note tone="pending" className={styles.silenceNote}>
      {t('quiet', { count: hours })}
    </Note>
  )
}
