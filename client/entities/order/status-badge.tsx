import { useTranslation } from '#client/platform/i18n.ts'
import { Badge } from '#client/ui/badge.tsx'
import { shownStatus, toneOf } from './order-card.rules.ts'

interface StatusBadgeProps {
  readonly status: string
  /** True when it stands beside the badge of a bag: coloured text without a frame. */
  readonly isPlain?: boolean
}

/** The status of an order. */
export function StatusBadge({ status, isPlain }: StatusBadgeProps) {
  const { t } = useTranslation('order-card')
  return <Badge isPlain={isPlain} tone={toneOf(status)} text={t(`status.${shownStatus(status)}`)} />
}
