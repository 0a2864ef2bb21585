import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { priceOf } from '#client/entities/purchase/price.rules.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'

interface AnotherBagProps {
  readonly order: Pick<Order, 'orderId' | 'type'>
  readonly look?: 'quiet' | undefined
  readonly className?: string | undefined
}

/** A link to the review of another bag on the route of this order, with the price once it is known. */
export function AnotherBag({ order: { orderId, type }, look, className }: AnotherBagProps) {
  const { t } = useTranslation('again')
  const language = useLanguage()
  const fare = useQuery(configQuery).data?.fare
  const price = fare && formatMoney(priceOf(type, fare).totalHalalas, language)
  return (
    <ButtonLink
      look={look}
      isWide={look === undefined}
      icon="add"
      className={className}
      to={paths.checkoutAgain(orderId)}
    >
      {price === undefined ? t('action') : t('priced', { price })}
    </ButtonLink>
  )
}
