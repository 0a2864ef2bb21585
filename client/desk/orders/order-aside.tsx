import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useConnection } from '#client/platform/connection.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { readDeskHandoverPhoto } from '#shared/desk/orders/desk-orders.operations.ts'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { isLanguageCode, languages } from '#shared/platform/language.ts'
import { Card } from '../card.tsx'
import pageStyles from '../page.module.css'
import { orderPath, personPath } from '../pages.ts'
import { moneyOf } from './money.rules.ts'
import styles from './order.module.css'
import { inGroups } from './order-rows.tsx'
import { placeText } from './place.ts'
import { RevealButton } from './reveal.tsx'
import { deadlinesOf } from './timeline.rules.ts'
import { useDeadlineText } from './use-deadline-text.ts'

/** The owner of an order, its bags, its money and its deadlines. @param rows of the order in work lists */
export function OrderAside({ order, rows, by }: { order: DeskOrder; rows: readonly WorkRow[]; by: string }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const textOf = useDeadlineText()
  const { user, otherOrders, transactionId, receipts } = order
  const { paid, payments, onItsWayBack, returned } = moneyOf(order)
  const deadlines = deadlinesOf(order, rows).map(textOf)
  const sum = (halalas: number) => formatMoney(halalas, language)
  return (
    <div className={`${layout.grid} ${layout.gap2} ${styles.aside}`}>
      {user === null ? (
        <Card title={t('owner.title')} facts={[[t('owner.name'), t('owner.none')]]} />
      ) : (
        <Card
          title={t('owner.title')}
          action={<RevealButton what="order" id={order.orderId} by={by} />}
          facts={[
            [
              t('owner.name'),
              <Link key="name" to={personPath(user.userId)}>
                <bdi>{user.name}</bdi>
              </Link>,
            ],
            [t('owner.phone'), <Ltr key="phone">{user.phone}</Ltr>],
            [t('owner.language'), isLanguageCode(user.language) ? languages[user.language].label : undefined],
            [t('owner.messages'), user.messages ? undefined : t('owner.noMessages')],
            [
              t('owner.others'),
              otherOrders.length === 0
                ? undefined
                : otherOrders.map(({ orderId }) => (
                    <Link key={orderId} to={orderPath(orderId)}>
                      <Ltr>{orderNumber(orderId)}</Ltr>
                    </Link>
                  )),
            ],
          ]}
        >
          <p className={pageStyles.inset}>{t('owner.ask')}</p>
        </Card>
      )}
      {order.bookings.map((booking) => (
        <BagCard key={booking.reference} order={order} booking={booking} />
      ))}
      <Card
        title={t('money.title')}
        facts={[
          [t('money.paid'), sum(paid)],
          [t('money.payments'), payments > 1 ? payments : undefined],
          [t('money.onItsWayBack'), onItsWayBack > 0 ? sum(onItsWayBack) : undefined],
          [t('money.returned'), sum(returned)],
          [
            t('money.transaction'),
            transactionId && <Ltr key="transaction">{inGroups(transactionId, 3)}</Ltr>,
          ],
          [
            t('money.receipts'),
            receipts.length === 0
              ? undefined
              : receipts.map(({ number }) => <Ltr key={number}>{number}</Ltr>),
          ],
        ]}
      >
        {onItsWayBack + returned > 0 ? <p className={pageStyles.inset}>{t('money.bank')}</p> : null}
      </Card>
      {deadlines.length === 0 ? null : (
        <Card
          title={t('deadline.title')}
          facts={deadlines.map(({ what, when, isPassed }) => [
            what,
            <span key="when" className={isPassed ? pageStyles.late : undefined}>
              {when}
            </span>,
          ])}
        />
      )}
    </div>
  )
}

/** A bag: its airway bill, its route and its next step. */
export function BagCard({ order, booking }: { order: DeskOrder; booking: DeskOrder['bookings'][number] }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const { awb, state, tries, lastError, photo } = booking
  const isExpected = state !== null && state !== 'COLLECTED' && state !== 'CANCELLED'
  return (
    <Card
      title={t('bagCard.title')}
      facts={[
        [t('bagCard.awb'), awb === null ? t('bagCard.noAwb') : <Ltr key="awb">{inGroups(awb, 4)}</Ltr>],
        [t('bagCard.from'), <bdi key="from">{placeText(booking.origin, language)}</bdi>],
        [t('bagCard.to'), <bdi key="to">{placeText(booking.destination, language)}</bdi>],
        [t('bagCard.receiver'), <bdi key="who">{order.receiver?.name ?? t('bagCard.owner')}</bdi>],
        [t('bagCard.printed'), booking.receiver && <bdi key="printed">{booking.receiver}</bdi>],
        [t('bagCard.expected'), isExpected ? t(`expected.${state}`) : undefined],
        [t('bagCard.tries'), awb === null && tries > 0 ? tries : undefined],
        [t('bagCard.error'), awb === null && lastError ? <bdi key="error">{lastError}</bdi> : undefined],
      ]}
    >
      {awb !== null && photo ? <HandoverPhoto orderId={order.orderId} awb={awb} /> : null}
    </Card>
  )
}

/** Shows the picture only when the operator asks for it, because each view is recorded. */
function HandoverPhoto({ orderId, awb }: { orderId: number; awb: string }) {
  const { t } = useTranslation('desk-orders')
  const isOffline = useConnection() === 'offline'
  const [state, setState] = useState<'closed' | 'shown' | 'failed'>('closed')
  if (state === 'shown')
    return (
      <img
        className={styles.photo}
        src={operationHref(readDeskHandoverPhoto, { id: orderId, awb })}
        alt={t('bagCard.photo')}
        onError={() => setState('failed')}
      />
    )
  return (
    <div>
      <Button size="small" disabled={isOffline} onClick={() => setState('shown')}>
        {t('bagCard.photoShow')}
      </Button>
      {state === 'failed' ? <p role="alert">{t('bagCard.photoFailed')}</p> : null}
    </div>
  )
}
