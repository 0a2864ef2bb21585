import { useTranslation } from '#client/platform/i18n.ts'
import { Badge } from '#client/ui/badge.tsx'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { type BagState, tagOfBag } from './tag.rules.ts'

const tones = {
  tied: 'over',
  torn: 'good',
  travelling: 'moving',
  delayed: 'waiting',
  here: 'good',
  collected: 'over',
  cancelled: 'over',
} as const satisfies Record<BagState, string>

/** Badge with the state of a bag. */
export function BagBadge({ bag }: { readonly bag: Booking }) {
  const { t } = useTranslation('tag')
  const state = tagOfBag(bag)
  return <Badge tone={tones[state]} text={t(`badge.${state}`)} />
}
