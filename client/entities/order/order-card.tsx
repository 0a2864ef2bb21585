import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { LabelLink } from '#client/entities/airway-bill/awb.tsx'
import { Barcode } from '#client/entities/airway-bill/barcode.tsx'
import { LocationView } from '#client/entities/location/location.tsx'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { CardTable } from '#client/ui/card-table.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isWithdrawn, knownStatus, missingAwb, toneOf } from './order-card.rules.ts'
import { OrderNumber } from './order-number.tsx'
import { RefundNote } from './refund-note.tsx'
import { StatusBadge } from './status-badge.tsx'
import './order-card.css'
import './order-card.texts.ts'

interface OrderCardProps {
  readonly order: Order
  /** `OrderFact`s shown before the common ones. */
  readonly facts?: ReactNode
  /** Actions, below the bookings. */
  readonly children?: ReactNode
  /** Agents see whether to accept the bag, and no payment details. */
  readonly reader?: 'owner' | 'agent'
  /** Called when a label is downloaded: the list may be outdated and the order refunded. */
  readonly onLabel?: () => void
}

/** One order of a list, for the customer or the agent. */
export function OrderCard({ order, facts, children, reader = 'owner', onLabel }: OrderCardProps) {
  const { t } = useTranslation('order-card')
  const language = useLanguage()
  const titleId = useId()
  const status = knownStatus(order.status)
  const isVoid = isWithdrawn(order.status)
  return (
    <article className="order" aria-labelledby={titleId}>
      <header className="order-head">
        <h2 className="order-number" id={titleId}>
          <OrderNumber orderId={order.orderId} />
        </h2>
        <StatusBadge tone={toneOf(order.status)} text={status ? t(`status.${status}`) : order.status} />
        <span className="order-type">{t(`types.${order.type}`)}</span>
      </header>
      {isVoid && reader === 'agent' ? (
        <p className="order-do-not-accept">
          <Icon name="cross" />
          <span>
            <strong>{t('doNotAccept.title')}</strong> {t('doNotAccept.text')}
          </span>
        </p>
      ) : null}
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
            <LocationView key="origin" location={booking.origin} language={language} />,
            <LocationView key="destination" location={booking.destination} language={language} />,
            <AwbCell key="awb" booking={booking} status={order.status} />,
            booking.awb === null || isVoid ? null : (
              <LabelCell key="download" awb={booking.awb} onLabel={onLabel} />
            ),
          ],
        }))}
      />
      {order.refund && reader === 'owner' ? <RefundNote refund={order.refund} /> : null}
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

/** A download button on screen; the barcode in print. */
function LabelCell({ awb, onLabel }: { readonly awb: string; readonly onLabel: (() => void) | undefined }) {
  const { t } = useTranslation('awb')
  return (
    <>
      <LabelLink
        awb={awb}
        href={operationHref(readLabelPdf, { awb }, { download: '1' })}
        onDownload={onLabel}
      />
      <div className="order-barcode">
        <Barcode value={awb} label={t('barcode', { awb })} />
      </div>
    </>
  )
}

function AwbCell({ booking, status }: { readonly booking: Booking; readonly status: string }) {
  const { t } = useTranslation('order-card')
  if (booking.awb === null) return <span className="order-no-awb">{t(`noAwb.${missingAwb(status)}`)}</span>
  const isVoid = isWithdrawn(status)
  return (
    <>
      <span className={isVoid ? 'order-awb order-awb-void' : 'order-awb'}>
        <Ltr>{booking.awb}</Ltr>
      </span>
      {isVoid ? <span className="order-awb-note">{t('awbVoid')}</span> : null}
      {booking.receiver ? (
        <span className="order-awb-note">
          {t('receiver')} <bdi>{booking.receiver}</bdi>
        </span>
      ) : null}
    </>
  )
}
