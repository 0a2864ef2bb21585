import { Button, Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { isCallProblem } from '#client/platform/call.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { useNow } from '#client/platform/time.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { DeskOrder } from '#shared/desk-orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { useKeys } from '../keys.ts'
import { Mark } from '../mark.tsx'
import { type DeskPageProps, narrow, orderPath, searchPath } from '../pages.ts'
import { LoadFailed, RowsWaiting } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import styles from './order.module.css'
import { OrderAside } from './order-aside.tsx'
import type { FromList } from './order-rows.tsx'
import { useDeskOrder } from './orders.queries.ts'
import { hoursSilent, worstAlarm } from './timeline.rules.ts'
import { Timeline } from './timeline.tsx'

/** All of an order: what is true now in its head, what has happened in its timeline. */
export function OrderPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-orders')
  const { ref = '' } = useParams()
  const { data: order, error, isFetching, dataUpdatedAt, refetch } = useDeskOrder(ref)
  useTitle(order ? orderNumber(order.orderId) : t('order.title'))
  if (order === undefined && isCallProblem(error) && error.status === 404) return <NoOrder />
  return (
    <>
      {error && !isFetching ? (
        <LoadFailed
          text={t('order.failed')}
          updatedAt={order ? dataUpdatedAt : 0}
          onRetry={() => void refetch()}
        />
      ) : null}
      {order === undefined ? (
        error ? null : (
          <RowsWaiting />
        )
      ) : (
        <Whole key={order.orderId} order={order} by={staff.name} />
      )}
    </>
  )
}

function NoOrder() {
  const { t } = useTranslation('desk-orders')
  return (
    <>
      <h1>{t('order.unknown')}</h1>
      <p>
        <Link to={searchPath}>{t('order.toSearch')}</Link>
      </p>
    </>
  )
}

interface WholeProps {
  readonly order: DeskOrder
  /** The signed-in person. */
  readonly by: string
}

function Whole({ order, by }: WholeProps) {
  const { t } = useTranslation('desk-orders')
  const isNarrow = useMediaQuery(narrow)
  const [isOpen, setIsOpen] = useState(false)
  const aside = <OrderAside order={order} by={by} />
  return (
    <>
      <Head order={order}>
        {isNarrow ? <Button onClick={() => setIsOpen(true)}>{t('order.aside')}</Button> : null}
      </Head>
      <div className={styles.columns}>
        <Timeline lines={order.timeline} />
        {isNarrow ? (
          <Drawer
            open={isOpen}
            size={360}
            title={t('order.aside')}
            onClose={() => setIsOpen(false)}
            destroyOnHidden
          >
            {aside}
          </Drawer>
        ) : (
          <aside aria-label={t('order.aside')}>{aside}</aside>
        )}
      </div>
    </>
  )
}

const minuteMs = 60_000

/** Actions of the order belong at its end. */
function Head({ order, children }: { readonly order: DeskOrder; readonly children: ReactNode }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useNow(minuteMs)
  const alarm = worstAlarm(order)
  const bag = order.bookings.at(-1)
  return (
    <header className={styles.head}>
      <span className={styles.city}>
        <CityBlock city={bag?.destination.city} />
      </span>
      <div className={styles.names}>
        <Place orderId={order.orderId} />
        <div className={styles.line}>
          <h1>
            <Ltr>{orderNumber(order.orderId)}</Ltr>
          </h1>
          <StatusBadge status={order.status} />
          <Mark tone="plain">{formatMoney(order.amountHalalas, language)}</Mark>
          {bag?.state == null ? null : <Mark tone="note">{t(`bag.${bag.state}`)}</Mark>}
          {alarm === undefined ? null : (
            <Mark tone="bad" icon="alert">
              {alarm.kind === 'silent' ? t('order.silent', { hours: hoursSilent(alarm, now) }) : alarm.text}
            </Mark>
          )}
        </div>
      </div>
      {children}
    </header>
  )
}

/** Where the order stands in the list that it was opened from; K and J lead on. */
function Place({ orderId }: Pick<DeskOrder, 'orderId'>) {
  const { t } = useTranslation('desk-orders')
  const navigate = useNavigate()
  const { state } = useLocation()
  const ids = (state as FromList | null)?.ids ?? []
  const at = ids.indexOf(orderId)
  const go = (by: 1 | -1) => {
    const next = at < 0 ? undefined : ids[at + by]
    if (next !== undefined) void navigate(orderPath(next), { state, replace: true })
  }
  useKeys({ j: () => go(1), k: () => go(-1) })
  if (at < 0) return null
  return (
    <p className={styles.place}>
      {t('order.place', { number: at + 1, total: ids.length })} <kbd>K</kbd> <kbd>J</kbd>
    </p>
  )
}
