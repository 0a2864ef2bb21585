import { Button } from 'antd'
import { shownStatus } from '#client/entities/order/order-card.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { listDeskOrders } from '#shared/desk/orders/desk-orders.operations.ts'
import type { DeskOrdersQuery } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderStatuses, travelStates } from '#shared/orders/orders.operations.ts'
import { ActProblem } from '../act-dialog.tsx'
import { ChoiceFilter, FilterBar, Pages, TextFilter, useFilters } from '../filters.tsx'
import { useRowKeys } from '../keys.ts'
import { PageHead } from '../page-head.tsx'
import type { DeskPageProps } from '../pages.ts'
import { Loaded } from '../states.tsx'
import { OrderRows } from './order-rows.tsx'
import { useDeskOrders, useOrdersFile } from './orders.queries.ts'

const names = ['status', 'state', 'city', 'agent', 'branch', 'from', 'to'] as const

/** Every order, the newest first. */
export function OrdersPage({ staff }: DeskPageProps) {
  const { t } = useTranslation(['desk-orders', 'order-card'])
  const filters = useFilters<DeskOrdersQuery>(names)
  const list = useDeskOrders(filters.query)
  const file = useOrdersFile()
  useRowKeys()
  const field = (name: (typeof names)[number]) => ({ filters, name, label: t(`filter.${name}`) })
  return (
    <>
      <PageHead title={t('list.title')}>
        {staff.roles.some((role) => role !== 'support') ? (
          <Button
            href={operationHref(listDeskOrders, {}, { ...filters.filtered, format: 'csv' })}
            download
            loading={file.isPending}
            onClick={(event) => {
              event.preventDefault()
              file.mutate(filters.filtered)
            }}
          >
            {t('list.csv')}
          </Button>
        ) : null}
      </PageHead>
      <ActProblem error={file.error} />
      <FilterBar filters={filters} label={t('filter.title')} clear={t('filter.clear')}>
        <ChoiceFilter
          {...field('status')}
          all={t('filter.all')}
          options={orderStatuses.map((status) => [status, t(`order-card:status.${shownStatus(status)}`)])}
        />
        <ChoiceFilter
          {...field('state')}
          all={t('filter.all')}
          options={travelStates.map((state) => [state, t(`bag.${state}`)])}
        />
        {(['city', 'agent', 'branch'] as const).map((name) => (
          <TextFilter key={name} {...field(name)} maxLength={100} />
        ))}
        {(['from', 'to'] as const).map((name) => (
          <TextFilter key={name} {...field(name)} type="date" />
        ))}
      </FilterBar>
      <Loaded query={list} failed={t('list.failed')}>
        {({ orders, nextCursor }) => (
          <>
            {orders.length > 0 ? <OrderRows title={t('list.newest')} rows={orders} /> : null}
            {/* With a filter for the state of the bag, a page can be empty without being the last one. */}
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
