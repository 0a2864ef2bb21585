import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { shownStatus } from '#client/entities/order/order-card.rules.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { listDeskOrders } from '#shared/desk-orders/desk-orders.operations.ts'
import type { DeskOrdersQuery } from '#shared/desk-orders/desk-orders.schemas.ts'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import { travelStates } from '#shared/orders/travel.schemas.ts'
import { Labelled } from '../labelled.tsx'
import { type DeskPageProps, ordersPath } from '../pages.ts'
import { Loaded } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import { OrderRows } from './order-rows.tsx'
import styles from './orders.module.css'
import { useDeskOrders } from './orders.queries.ts'

const filters = ['status', 'state', 'city', 'agent', 'branch', 'from', 'to'] as const
type Filter = (typeof filters)[number]

/** What the address asks for; the server refuses what it does not know. */
function queryIn(address: URLSearchParams): DeskOrdersQuery {
  const given = [...filters, 'cursor'].map((name) => [name, address.get(name)?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** Every order, the newest first: what is shown is in the address, so that it can be passed on. */
export function OrdersPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-orders')
  const [address] = useSearchParams()
  const query = queryIn(address)
  const orders = useDeskOrders(query)
  const { cursor: _, ...filtered } = query
  useTitle(t('list.title'))
  return (
    <>
      <div className={styles.head}>
        <h1>{t('list.title')}</h1>
        {staff.roles.some((role) => role !== 'support') ? (
          <a
            className={styles.csv}
            href={operationHref(listDeskOrders, {}, { ...filtered, format: 'csv' })}
            download
          >
            {t('list.csv')}
          </a>
        ) : null}
      </div>
      <Filters />
      <Loaded query={orders} failed={t('list.failed')}>
        {(page) => <Page query={query} {...page} />}
      </Loaded>
    </>
  )
}

type Answer = NonNullable<ReturnType<typeof useDeskOrders>['data']>

function Page({
  query,
  orders,
  nextCursor,
}: Pick<Answer, 'orders' | 'nextCursor'> & { query: DeskOrdersQuery }) {
  const { t } = useTranslation('desk-orders')
  const { cursor, ...filtered } = query
  const at = (more: Readonly<Record<string, string>>) => ({
    pathname: ordersPath,
    search: `?${new URLSearchParams({ ...filtered, ...more })}`,
  })
  return (
    <>
      {orders.length > 0 ? <OrderRows title={t('list.newest')} rows={orders} /> : null}
      {orders.length === 0 && nextCursor === null ? <p>{t('list.empty')}</p> : null}
      {/* With a state of the bag a page may be empty and still not be the last. */}
      {orders.length === 0 && nextCursor !== null ? <p>{t('list.emptyHere')}</p> : null}
      <nav className={styles.pages} aria-label={t('list.pages')}>
        {cursor === undefined ? null : <Link to={at({})}>{t('list.first')}</Link>}
        {nextCursor === null ? null : <Link to={at({ cursor: nextCursor })}>{t('list.next')}</Link>}
      </nav>
    </>
  )
}

/** A choice counts at once, a text with Enter or when the field is left. */
function Filters() {
  const { t } = useTranslation('desk-orders')
  const { t: card } = useTranslation('order-card')
  const [address, setAddress] = useSearchParams()
  const set = (name: Filter, value: string) => {
    if (value === (address.get(name) ?? '')) return
    setAddress((before) => {
      const after = new URLSearchParams(before)
      after.delete('cursor')
      if (value === '') after.delete(name)
      else after.set(name, value)
      return after
    })
  }
  const textFilter = (name: Filter, type: 'text' | 'date') => (
    <Labelled key={name} className={styles.filter} text={t(`filter.${name}`)}>
      <input
        // A filter that was taken away in the address is empty here too.
        key={address.get(name) ?? ''}
        type={type}
        maxLength={100}
        defaultValue={address.get(name) ?? ''}
        onBlur={({ target }) => set(name, target.value.trim())}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && set(name, currentTarget.value.trim())}
      />
    </Labelled>
  )
  const choice = (name: Filter, options: readonly (readonly [value: string, text: string])[]) => (
    <Labelled className={styles.filter} text={t(`filter.${name}`)}>
      <select value={address.get(name) ?? ''} onChange={({ target }) => set(name, target.value)}>
        <option value="">{t('filter.all')}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
  return (
    <section className={styles.filters} aria-label={t('filter.title')}>
      {choice(
        'status',
        orderStatuses.map((status) => [status, card(`status.${shownStatus(status)}`)] as const),
      )}
      {choice(
        'state',
        travelStates.map((state) => [state, t(`bag.${state}`)] as const),
      )}
      {(['city', 'agent', 'branch'] as const).map((name) => textFilter(name, 'text'))}
      {(['from', 'to'] as const).map((name) => textFilter(name, 'date'))}
      {filters.some((name) => address.has(name)) ? (
        <Button type="link" onClick={() => setAddress({})}>
          {t('filter.clear')}
        </Button>
      ) : null}
    </section>
  )
}
