import { type ReactNode, useId, useState } from 'react'
import { LabelLink } from '#client/entities/airway-bill/awb.tsx'
import { AnotherBag } from '#client/entities/order/another-bag.tsx'
import { CancelOrder } from '#client/entities/order/cancel-order.tsx'
import { LastSeen } from '#client/entities/order/last-seen.tsx'
import { hasPass } from '#client/entities/order/order-card.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { usePayAgain } from '#client/entities/order/pay-again.ts'
import { RefundNote } from '#client/entities/order/refund-note.tsx'
import { Shipments } from '#client/entities/order/shipments.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { BagBadge } from '#client/entities/tag/bag-badge.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { leadOf } from '#client/entities/tag/tag.rules.ts'
import { CityLetters, StubHead } from '#client/entities/tag/tag-parts.tsx'
import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { Problem } from '#client/ui/problem.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './order-stub.module.css'
import { isPast, isReadyToShow } from './orders.rules.ts'

export interface StubProps {
  /** The action of this stub is the one filled button of the page. */
  readonly isPrimary: boolean
  /** The server cannot be reached, so no action that needs it is offered. */
  readonly isCutOff: boolean
  /** Called when the list may be outdated: a label was downloaded, or the order was cancelled. */
  readonly onChanged: () => void
}

interface OrderStubProps extends StubProps {
  readonly order: Order
}

/** One order as the stub of a tag; it leads to its page in one tap. */
export function OrderStub({ order, isPrimary, isCutOff, onChanged }: OrderStubProps) {
  const language = useLanguage()
  const titleId = useId()
  const city = order.bookings.at(-1)?.destination.city
  const lead = leadBagOf(order)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <article className={styles.stub} aria-labelledby={titleId}>
      <LuggageTag
        shape="stub"
        state={isPast(order) ? 'over' : undefined}
        city={city}
        ear={<CityLetters city={city} />}
        facts={
          <>
            <StubHead>
              {city === undefined ? null : <strong>{cityName(city, language)}</strong>}
              {lead === undefined ? <StatusBadge status={order.status} /> : <BagBadge bag={lead} />}
            </StubHead>
            <OrderHead order={order} titleId={titleId} />
            <StubActions order={order} isPrimary={isPrimary} isCutOff={isCutOff} onChanged={onChanged} />
            <FoldButton isOpen={isOpen} className={styles.unfold} onPress={() => setIsOpen(!isOpen)} />
            <div className={classes(!isOpen && styles.folded)}>
              <OrderTable order={order} isCutOff={isCutOff} onChanged={onChanged} />
            </div>
          </>
        }
      />
    </article>
  )
}

interface FoldButtonProps {
  readonly isOpen: boolean
  readonly className?: string | undefined
  readonly onPress: () => void
}

/** Unfolds numbers, places and files. */
export function FoldButton({ isOpen, className, onPress }: FoldButtonProps) {
  const { t } = useTranslation('orders')
  return (
    <Button
      look="quiet"
      className={classes(styles.fold, className)}
      aria-expanded={isOpen}
      data-screen
      onClick={onPress}
    >
      <span>{t('journey.files')}</span>
      <Icon name="chevron" />
    </Button>
  )
}

interface OrderHeadProps extends Pick<OrderStubProps, 'order'> {
  /** The id of the heading with the order's number. */
  readonly titleId: string
}

/** Number, date, payment and refund of an order. */
export function OrderHead({ order, titleId }: OrderHeadProps) {
  const language = useLanguage()
  const lead = leadBagOf(order)
  return (
    <>
      <div className={`${layout.cluster} ${textStyles.quiet} ${styles.facts}`}>
        <h3 className={styles.number} id={titleId}>
          <OrderNumber orderId={order.orderId} />
        </h3>
        <time dateTime={order.creationDate}>{formatMoment(order.creationDate, language)}</time>
        {lead === undefined ? null : <StatusBadge status={order.status} isPlain />}
      </div>
      {lead?.lastEventAt ? <LastSeen at={lead.lastEventAt} /> : null}
      {order.refund ? <RefundNote refund={order.refund} /> : null}
    </>
  )
}

/** Transaction, places, airway bills and files of an order. */
export function OrderTable({
  order,
  isCutOff,
  onChanged,
}: Pick<OrderStubProps, 'order' | 'isCutOff' | 'onChanged'>) {
  const { t } = useTranslation('order-card')
  const downloadOf = ({ awb, state, labelPending }: Booking) =>
    awb === null || state === 'CANCELLED' ? null : (
      <LabelLink key="download" look="quiet" awb={awb} isPending={labelPending} onDownload={onChanged} />
    )
  return (
    <>
      {order.transactionId ? (
        <p className={`${textStyles.quiet} ${styles.transaction}`}>
          {t('transactionId')} <Ltr>{order.transactionId}</Ltr>
        </p>
      ) : null}
      <Shipments
        order={order}
        isBrief
        downloadOf={isCutOff ? undefined : downloadOf}
        className={styles.table}
      />
    </>
  )
}

/** The bag that matters most now, of a paid order or another order with a pass. */
const leadBagOf = (order: Order): Booking | undefined =>
  order.status === 'PAID' || hasPass(order) ? order.bookings[leadOf(order.bookings)] : undefined

/** Another bag may go with this order as long as one of its own is not handed in. */
const mayJoin = ({ bookings }: Order) => bookings.some(({ state }) => !isHandedOver(state))

function StubActions({ order, isPrimary, isCutOff, onChanged }: OrderStubProps) {
  const { t } = useTranslation('orders')
  const isShown = isReadyToShow(order)
  const isFilled = isPrimary && isShown
  const toPage: ReactNode = (
    <ButtonLink
      look={isFilled ? 'primary' : isPast(order) ? 'quiet' : undefined}
      icon={isShown ? 'scan' : undefined}
      to={paths.order(order.orderId)}
    >
      {t(isShown ? 'show' : 'details')}
    </ButtonLink>
  )
  return (
    <div className={`${layout.cluster} ${layout.gap3} ${styles.actions}`} data-screen>
      {order.payable && !isCutOff ? <PayNow orderId={order.orderId} isPrimary={isPrimary} /> : null}
      {toPage}
      {order.status === 'PENDING_PAYMENT' && !isCutOff ? (
        <CancelOrder order={order} onChanged={onChanged} />
      ) : null}
      {order.status === 'PAID' && hasPass(order) && mayJoin(order) && !isCutOff ? (
        <AnotherBag order={order} look="quiet" />
      ) : null}
    </div>
  )
}

function PayNow({ orderId, isPrimary }: { readonly orderId: number; readonly isPrimary: boolean }) {
  const { t } = useTranslation('orders')
  const { pay, isBusy, problem } = usePayAgain(orderId)
  return (
    <>
      <Problem error={problem} className={styles.problem} />
      <Button look={isPrimary ? 'primary' : undefined} icon="card" isBusy={isBusy} onClick={pay}>
        {isBusy ? t('opening') : t('payNow')}
      </Button>
    </>
  )
}
