import { shownStatus } from '#client/entities/order/order-card.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { listDeskOrders } from '#shared/desk/orders/desk-orders.operations.ts'
import type { DeskOrdersQuery } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderStatuses, travelStates } from '#shared/orders/orders.operations.ts'
import { ChoiceFilter, FilterBar, type Filters, Pages, TextFilter, useFilters } from '../filters.tsx'
import { useRowKeys } from '../keys.ts'
import { PageHead } from '../page-head.tsx'
import type { DeskPageProps } from '../pages.ts'
import { Loaded, Problem } from '../states.tsx'
import { OrderRows } from './order-rows.tsx'
import styles from './orders.module.css'
import { useDeskOrders, useOrdersFile } from './orders.queries.ts'

const names = ['status', 'state', 'city', 'agent', 'branch', 'from', 'to'] as const

/** Every order, the newest first: what is shown is in the address, so that it can be passed on. */
export function OrdersPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-orders')
  const filters = useFilters<DeskOrdersQuery>(names)
  const list = useDeskOrders(filters.query)
  const file = useOrdersFile()
  useRowKeys()
  return (
    <>
      <PageHead title={t('list.title')}>
        {staff.roles.some((role) => role !== 'support') ? (
          <a
            className={styles.csv}
            href={operationHref(listDeskOrders, {}, { ...filters.filtered, format: 'csv' })}
            download
            aria-busy={file.isPending}
            onClick={(event) => {
              event.preventDefault()
              file.mutate(filters.filtered)
            }}
          >
            {t('list.csv')}
          </a>
        ) : null}
      </PageHead>
      <Problem error={file.error} />
      <OrderFilters filters={filters} />
      <Loaded query={list} failed={t('list.failed')}>
        {({ orders, nextCursor }) => (
          <>
            {orders.length > 0 ? <OrderRows title={t('list.newest')} rows={orders} /> : null}
            {/* With a state of the bag a page may be empty and still not be the last. */}
            {orders.length === 0 ? <p>{t(nextCursor === null ? 'list.empty' : 'list.emptyHere')}</p> : null}
            <Pages
              filters={filters}
              nextCursor={nextCursor}
              label={t('list.pages')}
              first={t('list.first')}
              next={t('list.next')}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function OrderFilters({ filters }: { readonly filters: Filters }) {
  const { t } = useTranslation('desk-orders')
  const { t: card } = useTranslation('order-card')
  const field = (name: (typeof names)[number]) => ({ filters, name, label: t(`filter.${name}`) })
  return (
    <FilterBar filters={filters} label={t('filter.title')} clear={t('filter.clear')}>
      <ChoiceFilter
        {...field('status')}
        all={t('filter.all')}
        options={orderStatuses.map((status) => [status, card(`status.${shownStatus(status)}`)])}
      />
      <ChoiceFilter
        {...field('state')}
        all={t('filter.all')}
        options={travelStates.map((state) => [state, t(`bag.${state}`)])}
      />
      {(['city', 'agent', 'branch'] as const).map((name) => (
        <TextFilter key={name} {...field(name)} type="text" maxLength={100} />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <TextFilter key={name} {...field(name)} type="date" maxLength={100} />
      ))}
    </FilterBar>
  )
}
