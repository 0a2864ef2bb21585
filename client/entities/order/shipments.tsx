import type { ReactNode } from 'react'
import { Barcode } from '#client/entities/airway-bill/barcode.tsx'
import { LocationView } from '#client/entities/location/location.tsx'
import { useTranslation } from '#client/platform/i18n.ts'
import { CardTable } from '#client/ui/card-table.tsx'
import { classes } from '#client/ui/classes.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isValidBag, missingAwb } from './order-card.rules.ts'
import styles from './shipments.module.css'

interface ShipmentsProps {
  readonly order: Order
  /** In a stub: places without links; below the number its receiver, and in print its barcode. */
  readonly isBrief?: boolean
  /** Makes a further column: how the label of a bag is downloaded. */
  readonly downloadOf?: ((booking: Booking) => ReactNode) | undefined
  readonly className?: string | undefined
}

/** The origin and destination of an order's bags, and their airway bills. */
export function Shipments({ order, isBrief = false, downloadOf, className }: ShipmentsProps) {
  const { t } = useTranslation('order-card')
  return (
    <CardTable
      className={classes(isBrief && styles.brief, className)}
      caption={t('columns.caption')}
      columns={[
        { name: t('columns.origin') },
        { name: t('columns.destination') },
        { name: t('columns.awb'), isNarrow: isBrief },
        ...(downloadOf ? [{ name: t('columns.download'), isNarrow: true, isOfButtons: true }] : []),
      ]}
      rows={order.bookings.map((booking, index) => ({
        key: String(index),
        cells: [
          <LocationView key="origin" location={booking.origin} isBrief={isBrief} />,
          <LocationView key="destination" location={booking.destination} isBrief={isBrief} />,
          <AwbCell key="awb" booking={booking} status={order.status} isBrief={isBrief} />,
          ...(downloadOf ? [downloadOf(booking)] : []),
        ],
      }))}
    />
  )
}

interface AwbCellProps {
  readonly booking: Booking
  readonly status: string
  readonly isBrief: boolean
}

function AwbCell({ booking, status, isBrief }: AwbCellProps) {
  const { t } = useTranslation('order-card')
  const { awb, receiver } = booking
  const isVoid = !isValidBag(booking)
  if (awb === null) return <span className={styles.note}>{t(`noAwb.${missingAwb(status, isVoid)}`)}</span>
  const Text = isVoid ? 's' : 'span'
  return (
    <>
      <Text className={styles.awb}>
        <Ltr>{awb}</Ltr>
      </Text>
      {isVoid ? (
        <>
          {' '}
          <span className={`${styles.note} ${styles.void}`}>{t('awbVoid')}</span>
        </>
      ) : null}
      {isBrief && !isVoid ? (
        // A kept order shows the barcode too: it needs no server.
        <div className={styles.barcode}>
          <Barcode awb={awb} />
        </div>
      ) : null}
      {isBrief && receiver ? (
        <span className={styles.note}>
          {t('receiver')} <bdi>{receiver}</bdi>
        </span>
      ) : null}
    </>
  )
}
