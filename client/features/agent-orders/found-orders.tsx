import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PhoneLink } from '#client/entities/location/location.tsx'
import { OrderCard, OrderFact } from '#client/entities/order/order-card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import type { AgentOrderPage, Order } from '#shared/orders/orders.schemas.ts'
import { type Filters, isFiltering, totalOf } from './agent-orders.rules.ts'
import './agent-orders.css'
import './agent-orders.texts.ts'
import '#client/ui/buttons.css'

interface FoundOrdersProps {
  readonly list: UseInfiniteQueryResult<InfiniteData<AgentOrderPage>>
  readonly q: string
  readonly filters: Filters
  readonly onClear: () => void
}

export function FoundOrders({ list, q, filters, onClear }: FoundOrdersProps) {
  const { t } = useTranslation('agent-orders')
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  // Placeholder data is of the previous search: its counts are shown, its orders are not.
  const pages = list.isPlaceholderData ? undefined : list.data?.pages
  const orders = pages?.flatMap((page) => page.orders) ?? []

  // One call searches a limited number of orders: when it finds none, the next page is requested automatically.
  const keepsSearching = pages !== undefined && orders.length === 0 && hasNextPage && !isFetchNextPageError
  const pagesLoaded = pages?.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may come between two renders, unseen as fetching
  useEffect(() => {
    if (keepsSearching && !isFetching) void fetchNextPage()
  }, [keepsSearching, isFetching, pagesLoaded, fetchNextPage])

  const failure = (retry: () => unknown) => (
    <FailureState title={t('failed')} problem={list.error} onRetry={() => void retry()} />
  )
  const isNone = pages !== undefined && orders.length === 0 && !hasNextPage
  const isNarrowed = q !== '' || isFiltering(filters)
  const total = q === '' && pages?.[0] ? totalOf(pages[0].counts, filters) : undefined
  const found = t('search.found', { count: total ?? orders.length })
  return (
    <>
      {/* Always mounted, so that the live region announces changes. */}
      <p className="assigned-found" role="status">
        {!pages || (isNone && !isNarrowed)
          ? null
          : keepsSearching
            ? t('search.loadingOlder')
            : total === undefined && hasNextPage
              ? t('search.soFar', { found })
              : found}
      </p>
      {list.isLoadingError || list.isRefetchError ? failure(list.refetch) : null}
      {pages || list.isError ? null : <Loading label={t('loading')} />}
      {isNone && !isNarrowed ? <EmptyState title={t('empty.title')} text={t('empty.text')} /> : null}
      {isNone && isNarrowed ? (
        <EmptyState
          title={t('search.none')}
          action={
            <button type="button" className="button" onClick={onClear}>
              {t('search.clear')}
            </button>
          }
        />
      ) : null}
      <ul className="assigned">
        {orders.map((order) => (
          <li key={order.orderId}>
            <AssignedOrder order={order} onLabel={() => void list.refetch()} />
          </li>
        ))}
      </ul>
      {isFetchNextPageError ? failure(fetchNextPage) : null}
      {pages && hasNextPage && !keepsSearching && !isFetchNextPageError ? (
        <button
          type="button"
          className="button assigned-more"
          disabled={list.isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {list.isFetchingNextPage ? t('loadingMore') : t('more')}
        </button>
      ) : null}
    </>
  )
}

interface AssignedOrderProps {
  readonly order: Order
  readonly onLabel: () => void
}

function AssignedOrder({ order, onLabel }: AssignedOrderProps) {
  const { t } = useTranslation('agent-orders')
  const phone = order.user?.phone
  return (
    <OrderCard
      order={order}
      reader="agent"
      onLabel={onLabel}
      facts={
        <>
          <OrderFact name={t('customer')}>
            {order.user?.name ? <bdi>{order.user.name}</bdi> : t('noName')}
          </OrderFact>
          {phone ? (
            <OrderFact name={t('phone')}>
              <PhoneLink phone={phone} />
            </OrderFact>
          ) : null}
        </>
      }
    />
  )
}
