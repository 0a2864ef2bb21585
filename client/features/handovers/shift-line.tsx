import { isWaiting } from '#client/entities/handover/outbox.rules.ts'
import { useShift } from '#client/entities/handover/shift.ts'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { formatTime } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import textStyles from '#client/ui/text.module.css'

/** The number of bags that the agent has handled on this device since the sign-in. */
export function ShiftLine({ agentId }: { readonly agentId: number }) {
  const { entries } = useOutbox(agentId)
  const { t } = useTranslation('handovers')
  const language = useLanguage()
  const shift = useShift(agentId)
  if (shift === undefined) return null
  const time = formatTime(shift.since, language)
  const { received, notAccepted } = shift
  const waiting = entries.filter(isWaiting).length
  if (received + notAccepted + waiting === 0) return null
  return (
    <p className={textStyles.quiet} data-screen>
      {t('shift', { time, received, notAccepted, waiting })}
    </p>
  )
}
