import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { formatWholeRiyals } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { refundDays } from '#shared/orders/orders.operations.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'

/** The deadline of a cancellation, and the refund: the sentences describe the behaviour of the server. */
export function CancellationSentence() {
  const { t } = useTranslation('purchase')
  const terms = useLoadedConfig().purchase.cancellation
  if (!terms.isOffered) return <span>{t('cancellation.off')}</span>
  const until =
    terms.hours === 0
      ? t('cancellation.untilHandOver')
      : t('cancellation.withinHours', { count: terms.hours })
  return <span>{`${until} ${t('cancellation.money', { days: refundDays })}`}</span>
}

interface SentenceProps {
  readonly className?: string | undefined
}

/** The most that we pay for a lost bag; renders nothing where no amount is promised. */
export function LostSentence({ className }: SentenceProps) {
  const { t } = useTranslation('purchase')
  const language = useLanguage()
  const { lostSar } = useLoadedConfig().promises
  if (lostSar === undefined) return null
  return <p className={className}>{t('lost', { amount: formatWholeRiyals(lostSar, language) })}</p>
}

/** What is paid for a late, damaged or lost bag, in the operator's words; nothing where there are none. */
export function LiabilitySentence({ className }: SentenceProps) {
  const language = useLanguage()
  const { liability } = useLoadedConfig().purchase
  return liability === undefined ? null : <p className={className}>{liability[language]}</p>
}

interface ExampleSentenceProps extends SentenceProps {
  readonly demo: boolean
  readonly promises: Promises
}

/** Says that the promised times and amounts are examples; renders nothing where they are real, or where nothing is promised. */
export function ExampleSentence({ demo, promises, className }: ExampleSentenceProps) {
  const { t } = useTranslation('purchase')
  const { transitDays, ...others } = promises
  const isPromised = Object.keys(transitDays).length > 0 || Object.keys(others).length > 0
  return demo && isPromised ? <p className={className}>{t('examples')}</p> : null
}
