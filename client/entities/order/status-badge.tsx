import { useTranslation } from 'react-i18next'
import { Badge } from '#client/ui/badge.tsx'
import { shownStatus, toneOf } from './order-card.rules.ts'

/** The status of an order. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { t } = useTranslation('order-card')
  return <Badge tone={toneOf(status)} text={t(`status.${shownStatus(status)}`)} />
}
