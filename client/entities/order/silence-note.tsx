import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { Note } from '#client/ui/note.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { type Day, unlessPast } from '#shared/platform/promises.rules.ts'
import { hoursOfSilence } from './silence.rules.ts'
import styles from './silence-note.module.css'

/** A page that stays open also shows the note, once enough hours have passed. */
const everyMs = 5 * 60_000

interface SilenceNoteProps {
  readonly journey: Pick<Booking, 'state' | 'lastEventAt'>
  /** The last day on which the bag usually arrives; `undefined` when no days are promised. */
  readonly dueOn?: Day | undefined
}

/**
 * Shows the hours since the last event of a bag on its way; nothing while they are few. Until the promised days have passed,
 * silence is no warning.
 */
export function SilenceNote({ journey, dueOn }: SilenceNoteProps) {
  const { t } = useTranslation('silence-note')
  const silenceHours = useQuery(configQuery).data?.tracking.silenceHours
  const now = useNow(everyMs)
  const hours = silenceHours === undefined ? undefined : hoursOfSilence(journey, silenceHours, now)
  if (hours === undefined) return null
  const text = t('quiet', { count: hours })
  return unlessPast(dueOn, now) === undefined ? (
    <Note tone="pending" className={styles.silenceNote}>
      {text}
    </Note>
  ) : (
    <p className={`${textStyles.hint} ${styles.silenceNote}`}>{text}</p>
  )
}
