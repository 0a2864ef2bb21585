import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { LabelLink } from './awb.tsx'
import { Barcode } from './barcode.tsx'
import { CardTable } from './card-table.tsx'
import { Ltr } from './ltr.tsx'
import { knownStatus, missingAwb, toneOf } from './order-card.rules.ts'
import { OrderNumber } from './order-number.tsx'
import { PlaceView } from './place.tsx'
import { StatusBadge } from './status-badge.tsx'
import './order-card.css'
import './order-card.texts.ts'

interface OrderCardProps {
  readonly order: Order
  /** `OrderFact`s that come before those every reader sees. */
  readonly facts?: ReactNode
  /** What can be done with the order, below its bookings. */
  readonly children?: ReactNode
}

/** One order of a list, the same for the customer and for the agent. */
export function OrderCard({ order, facts, children }: OrderCardProps) {
  const { t } = useTranslation('order-card')
  const language = useLanguage()
  const titleId = useId()
  const status = knownStatus(order.status)
  return (
    <article className="order" aria-labelledby={titleId}>
      <header className="order-head">
        <h2 className="order-number" id={titleId}>
          <OrderNumber orderId={order.orderId} />
        </h2>
        <StatusBadge tone={toneOf(order.status)} text={status ? t(`status.${status}`) : order.status} />
        <span className="order-type">{t(`types.${order.type}`)}</span>
      </header>
      <dl className="order-facts">
        {facts}
        <OrderFact name={t('createdAt')}>
          <time dateTime={order.creationDate}>{formatDateTime(order.creationDate, language)}</time>
        </OrderFact>
        {order.transactionId ? (
          <OrderFact name={t('transactionId')}>
            <Ltr>{order.transactionId}</Ltr>
          </OrderFact>
        ) : null}
      </dl>
      <CardTable
        caption={t('columns.caption')}
        columns={[
          { name: t('columns.origin') },
          { name: t('columns.destination') },
          { name: t('columns.awb'), isNarrow: true },
          { name: t('columns.download'), isNarrow: true },
        ]}
        rows={order.bookings.map((booking, index) => ({
          key: String(index),
          cells: [
            <PlaceView key="origin" place={booking.origin} language={language} />,
            <PlaceView key="destination" place={booking.destination} language={language} />,
            <AwbCell key="awb" booking={booking} status={order.status} />,
            booking.awb === null ? null : <LabelCell key="download" awb={booking.awb} />,
          ],
        }))}
      />
      {children}
    </article>
  )
}

/** A name and its value among the facts of an order. */
export function OrderFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A button on the screen; on paper, where it could not be pressed, the barcode. */
function LabelCell({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  return (
    <>
      <LabelLink awb={awb} href={operationHref(readLabelPdf, { awb }, { download: '1' })} />
      <div className="order-barcode">
        <Barcode value={awb} label={t('barcode', { awb })} />
      </div>
    </>
  )
}

function AwbCell({ booking, status }: { readonly booking: Booking; readonly status: string }) {
  const { t } = useTranslation('order-card')
  if (booking.awb === null) return <span className="order-no-awb">{t(`noAwb.${missingAwb(status)}`)}</span>
  return (
    <span className="order-awb">
      <Ltr>{booking.awb}</Ltr>
    </span>
  )
}
