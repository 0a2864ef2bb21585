import { formatMomentInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Note } from '#client/ui/note.tsx'
import textStyles from '#client/ui/text.module.css'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { knownReason } from './journey.rules.ts'
import styles from './not-accepted.module.css'

interface NotAcceptedProps {
  readonly refusal: BookingEvent
  /** The owner may cancel the order. */
  readonly isCancellable: boolean
}

/** For the owner of a bag that the agent did not accept: why, and what to do now. */
export function NotAccepted({ refusal: { at, code, text }, isCancellable }: NotAcceptedProps) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  const reason = knownReason(code)
  return (
    <Note tone="pending" icon="alert" className={styles.refusal}>
      <div>
        <strong>{reason === 'other' && text ? <bdi>{text}</bdi> : t(`reason.${reason}`)}</strong>
        <p>{isCancellable ? `${t('refusal.next')} ${t('refusal.cancel')}` : t('refusal.next')}</p>
        <time className={textStyles.hint} dateTime={at}>
          {formatMomentInBoth(at, language)}
        </time>
      </div>
    </Note>
  )
}
