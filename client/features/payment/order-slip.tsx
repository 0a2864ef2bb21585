import { CityBlock } from '#client/entities/location/city-block.tsx'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { useLanguage } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import tagStyles from '#client/ui/tag.module.css'
import textStyles from '#client/ui/text.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './order-slip.module.css'

interface OrderSlipProps {
  readonly order: Order
  /** No bag travels on it any more: its hole is crossed out and its colour gone. */
  readonly isVoid: boolean
}

/** An order without an airway bill to show, as a small tag. */
export function OrderSlip({ order, isVoid }: OrderSlipProps) {
  const language = useLanguage()
  const city = order.bookings[0]?.destination.city
  return (
    <div className={classes(tagStyles.tag, styles.slip, isVoid && styles.void)}>
      <i className={styles.hole} aria-hidden="true" data-screen />
      <CityBlock city={city} isVoid={isVoid} />
      <div className={styles.text}>
        <div className={styles.line}>
          {city === undefined ? null : <strong>{cityName(city, language)}</strong>}
          <StatusBadge status={order.status} />
        </div>
        <span className={textStyles.quiet}>
          <OrderNumber orderId={order.orderId} />
        </span>
      </div>
    </div>
  )
}
