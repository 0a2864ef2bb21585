import { Link } from 'react-router-dom'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { isLanguageCode, languages } from '#shared/platform/language.ts'
import { Card } from '../card.tsx'
import { orderPath, personPath } from '../pages.ts'
import { moneyOf } from './money.rules.ts'
import styles from './order.module.css'
import { inGroups } from './order-rows.tsx'
import { placeText } from './place.ts'
import { RevealButton } from './reveal.tsx'
import { deadlinesOf } from './timeline.rules.ts'
import { useDeadlineText } from './use-deadline-text.ts'

interface AsideProps {
  readonly order: DeskOrder
  /** Of the order, in work lists. */
  readonly rows: readonly WorkRow[]
  readonly by: string
}

/** Whose it is, its bags, its money and what it waits for. */
export function OrderAside({ order, rows, by }: AsideProps) {
  return (
    <div className={styles.aside}>
      <OwnerCard order={order} by={by} />
      {order.bookings.map((booking) => (
        <BagCard key={booking.reference} order={order} booking={booking} />
      ))}
      <MoneyCard order={order} />
      <DeadlinesCard order={order} rows={rows} />
    </div>
  )
}

function OwnerCard({ order, by }: Omit<AsideProps, 'rows'>) {
  const { t } = useTranslation('desk-orders')
  const { user, otherOrders } = order
  if (user === null) return <Card title={t('owner.title')} facts={[[t('owner.name'), t('owner.none')]]} />
  const { name, phone, language, messages } = user
  return (
    <Card
      title={t('owner.title')}
      action={<RevealButton what="order" id={order.orderId} by={by} />}
      facts={[
        [
          t('owner.name'),
          <Link key="name" to={personPath(user.userId)}>
            <bdi>{name}</bdi>
          </Link>,
        ],
        [t('owner.phone'), <Ltr key="phone">{phone}</Ltr>],
        [t('owner.language'), isLanguageCode(language) ? languages[language].label : undefined],
        [t('owner.messages'), messages ? undefined : t('owner.noMessages')],
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
      <p className={styles.remember}>{t('owner.ask')}</p>
    </Card>
  )
}

interface BagProps {
  readonly order: DeskOrder
  readonly booking: DeskOrder['bookings'][number]
}

/** A bag: its airway bill, its way and what should happen to it now. */
export function BagCard({ order, booking }: BagProps) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const { awb, state, tries, lastError } = booking
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
        [
          t('bagCard.error'),
          awb !== null || lastError === null ? undefined : <bdi key="error">{lastError}</bdi>,
        ],
      ]}
    />
  )
}

function MoneyCard({ order }: { readonly order: DeskOrder }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const { transactionId, receipts } = order
  const { paid, payments, onItsWayBack, returned } = moneyOf(order)
  return (
    <Card
      title={t('money.title')}
      facts={[
        [t('money.paid'), formatMoney(paid, language)],
        [t('money.payments'), payments > 1 ? payments : undefined],
        [t('money.onItsWayBack'), onItsWayBack > 0 ? formatMoney(onItsWayBack, language) : undefined],
        [t('money.returned'), formatMoney(returned, language)],
        [
          t('money.transaction'),
          transactionId === null ? undefined : <Ltr key="transaction">{inGroups(transactionId, 3)}</Ltr>,
        ],
        [
          t('money.receipts'),
          receipts.length === 0 ? undefined : receipts.map(({ number }) => <Ltr key={number}>{number}</Ltr>),
        ],
      ]}
    >
      {onItsWayBack + returned > 0 ? <p className={styles.remember}>{t('money.bank')}</p> : null}
    </Card>
  )
}

function DeadlinesCard({ order, rows }: Omit<AsideProps, 'by'>) {
  const { t } = useTranslation('desk-orders')
  const textOf = useDeadlineText()
  const deadlines = deadlinesOf(order, rows)
  if (deadlines.length === 0) return null
  return (
    <Card
      title={t('deadline.title')}
      facts={deadlines.map((deadline) => {
        const { what, when, isPassed } = textOf(deadline)
        return [
          what,
          isPassed ? (
            <b key="passed" className={styles.passed}>
              {when}
            </b>
          ) : (
            when
          ),
        ]
      })}
    />
  )
}
