import { Fragment, type ReactNode, useId } from 'react'
import { LabelLink } from '#client/entities/airway-bill/awb.tsx'
import { AwbCode } from '#client/entities/airway-bill/barcode.tsx'
import { PhoneLink } from '#client/entities/location/location.tsx'
import { isOrderVoid, isValidBag, missingAwb } from '#client/entities/order/order-card.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { Shipments } from '#client/entities/order/shipments.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { CityBand } from '#client/entities/tag/city-band.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { TagFact } from '#client/entities/tag/tag-parts.tsx'
import { formatMoment } from '#client/platform/dates.ts'
import { telHref } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { addressOf } from '#shared/orders/address.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { isNameless } from './agent-orders.rules.ts'
import styles from './order-detail.module.css'

interface OrderDetailProps {
  readonly order: Order
  /** Renders the actions for one bag, with the primary one, below its tag. */
  readonly actionFor: ((awb: string) => ReactNode) | undefined
  /** The label's file is not offered, because the server cannot be reached. */
  readonly isCutOff: boolean
  /** Called when a label is downloaded: the list may be outdated and the order refunded. */
  readonly onLabel: () => void
}

/** An order as the agent sees it: its tags, the person who hands the bag over, and the facts that the specification lists. */
export function OrderDetail({ order, actionFor, isCutOff, onLabel }: OrderDetailProps) {
  const titleId = useId()
  const isRefused = isOrderVoid(order)
  const title = (
    <h2 id={titleId} className={styles.number}>
      <OrderNumber orderId={order.orderId} />
    </h2>
  )
  return (
    <article className={`${layout.stack} ${layout.gap3} ${styles.detail}`} aria-labelledby={titleId}>
      {isRefused ? (
        <RefusedBag title={title} order={order} />
      ) : (
        order.bookings.map((booking, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: legs keep their places
          <Fragment key={index}>
            <BagTag
              start={index === 0 ? title : <OrderNumber orderId={order.orderId} />}
              order={order}
              booking={booking}
            />
            {booking.awb === null || !isValidBag(booking) ? null : actionFor?.(booking.awb)}
          </Fragment>
        ))
      )}
      <DetailActions order={order} isCutOff={isCutOff} onLabel={onLabel} />
      <OrderFacts order={order} />
    </article>
  )
}

interface BagTagProps {
  readonly start: ReactNode
  readonly order: Order
  readonly booking: Booking
}

function BagTag({ start, order, booking }: BagTagProps) {
  const { t } = useTranslation('order-card')
  const language = useLanguage()
  const { awb, destination } = booking
  const { city } = destination
  const address = addressOf(destination, language)
  const isVoid = !isValidBag(booking)
  return (
    <LuggageTag
      city={city}
      ear={
        <>
          {start}
          <StatusBadge status={order.status} />
        </>
      }
      band={<CityBand city={city} place={address ? <bdi>{address}</bdi> : null} />}
      facts={<Customer order={order} booking={booking} />}
      stub={
        awb === null || isVoid ? (
          <p>{t(awb === null ? `noAwb.${missingAwb(order.status, isVoid)}` : 'awbVoid')}</p>
        ) : (
          <AwbCode awb={awb} />
        )
      }
    />
  )
}

function Customer({ order, booking }: { readonly order: Order; readonly booking: Booking | undefined }) {
  const { t } = useTranslation('agent-orders')
  const { name, phone } = order.user ?? {}
  if (isNameless(order)) return <TagFact name={t('customer')}>{t('hidden')}</TagFact>
  return (
    <>
      <TagFact name={t('customer')}>{name ? <bdi>{name}</bdi> : t('noName')}</TagFact>
      {phone ? (
        <TagFact name={t('phone')}>
          <PhoneLink phone={phone} />
        </TagFact>
      ) : null}
      {booking?.receiver ? (
        <TagFact name={t('receiver')}>
          <bdi>{booking.receiver}</bdi>
        </TagFact>
      ) : null}
    </>
  )
}

/** The receiver, when another person than the pilgrim collects the bag, and the second phone number. */
function Collector({ named: { receiver, secondPhone } }: { readonly named: NamedReceiver }) {
  const { t } = useTranslation('receiver')
  const { t: ofPass } = useTranslation('pass')
  const phones = [
    { name: t('phone'), phone: receiver?.phone },
    { name: t('secondPhone'), phone: secondPhone },
  ]
  return (
    <>
      {receiver === undefined ? null : (
        <TagFact name={ofPass('receiver')}>
          <bdi>{receiver.name}</bdi>
        </TagFact>
      )}
      {phones.map(({ name, phone }) =>
        phone === undefined ? null : (
          <TagFact key={name} name={name}>
            <PhoneLink phone={phone} />
          </TagFact>
        ),
      )}
    </>
  )
}

/** A bag that does not travel: it has no tag, no city's colour and no barcode. */
function RefusedBag({ title, order }: { readonly title: ReactNode; readonly order: Order }) {
  const { t } = useTranslation('order-card')
  return (
    <div className={`${layout.grid} ${layout.gap2} ${styles.refused}`}>
      <div className={`${layout.split} ${layout.gap2}`}>
        {title}
        <StatusBadge status={order.status} />
      </div>
      <p className={`${layout.line} ${layout.gap3} ${styles.refusedTitle}`}>
        <Icon name="cross" />
        {t('doNotAccept.title')}
      </p>
      <p>{t('doNotAccept.text')}</p>
      <dl className={styles.refusedFacts}>
        <Customer order={order} booking={order.bookings[0]} />
      </dl>
    </div>
  )
}

function DetailActions({ order, isCutOff, onLabel }: Omit<OrderDetailProps, 'actionFor'>) {
  const { t } = useTranslation('agent-orders')
  const phone = order.user?.phone
  // A label names people, too: it is not offered when the names are removed.
  const areShown = !isCutOff && !isNameless(order)
  const labels = areShown
    ? order.bookings.filter(({ awb, state }) => awb !== null && state !== 'CANCELLED')
    : []
  if (!phone && labels.length === 0) return null
  return (
    <div className={`${layout.cluster} ${layout.gap2} ${styles.actions}`}>
      {phone ? (
        <ButtonLink icon="phone" href={telHref(phone)}>
          {t('call')}
        </ButtonLink>
      ) : null}
      {labels.map(({ awb, labelPending }) =>
        awb === null ? null : <LabelLink key={awb} awb={awb} isPending={labelPending} onDownload={onLabel} />,
      )}
    </div>
  )
}

function OrderFacts({ order }: { readonly order: Order }) {
  const { t } = useTranslation('order-card')
  const { t: ofAgent } = useTranslation('agent-orders')
  const language = useLanguage()
  return (
    <div>
      <dl>
        <Collector named={order} />
        <TagFact name={t('createdAt')}>
          <time dateTime={order.creationDate}>{formatMoment(order.creationDate, language)}</time>
        </TagFact>
        {order.transactionId ? (
          <TagFact name={t('transactionId')}>
            <Ltr>{order.transactionId}</Ltr>
          </TagFact>
        ) : null}
        <TagFact name={ofAgent('type')}>{t(`types.${order.type}`)}</TagFact>
      </dl>
      <Shipments order={order} />
    </div>
  )
}
