import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import styles from './agent-orders.module.css'
import { isTooOften, type ListPage } from './agent-orders.queries.ts'
import { countNamesakes, type Filters, isNarrowed, listedState, totalOf } from './agent-orders.rules.ts'
import { OrderRows } from './order-rows.tsx'
import type { OrdersTableProps } from './orders-table.tsx'
import { useIsBeside } from './use-shown-order.ts'

export type OrderList = UseInfiniteQueryResult<InfiniteData<ListPage>>

/** The loaded pages of this list. Placeholder data belongs to the previous search, and only its counts are shown. */
export function pagesOf(list: OrderList): readonly ListPage[] | undefined {
  return list.isPlaceholderData ? undefined : list.data?.pages
}

interface FoundOrdersProps {
  readonly list: OrderList
  readonly orders: readonly Order[]
  readonly q: string
  readonly filters: Filters
  readonly onClear: () => void
  readonly unsent: ReadonlySet<string>
  readonly selectedId: number | undefined
  readonly onSelect: (orderId: number) => void
  readonly onOpen: (orderId: number) => void
  readonly onFilter: (name: keyof Filters, value: string) => void
  /** The table that replaces the rows on wide screens. */
  readonly table: ComponentType<OrdersTableProps> | undefined
}

export function FoundOrders({
  list,
  orders,
  q,
  filters,
  onClear,
  table: OrdersTable,
  onFilter,
  ...selection
}: FoundOrdersProps) {
  const { t } = useTranslation('agent-orders')
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const pages = pagesOf(list)
  const isBeside = useIsBeside()

  // One call searches a limited number of orders: when it finds none, the next page is requested automatically.
  const keepsSearching = pages !== undefined && orders.length === 0 && hasNextPage && !isFetchNextPageError
  // Depend on the number of pages: a page may arrive between two renders, which never see `isFetching`.
  const pagesWithout = keepsSearching ? pages.length : 0
  useEffect(() => {
    if (pagesWithout > 0 && !isFetching) void fetchNextPage()
  }, [pagesWithout, isFetching, fetchNextPage])

  const failure = (retry: () => unknown) => (
    <FailureState title={t('failed')} problem={list.error} onRetry={() => void retry()} />
  )
  const isWaiting = (pages === undefined || list.isFetchingNextPage) && isTooOften(list.failureReason)
  const isNone = pages !== undefined && orders.length === 0 && !hasNextPage
  const isNarrow = isNarrowed(filters, q)
  const total = pages?.[0] ? totalOf(pages[0].counts, filters, q) : undefined
  const found = t('search.found', { count: total ?? orders.length })
  // The count of the whole list changes all day: the live region says it once, and the tabs show it.
  const isSaid = useIsFirst(listedState(filters, q), total) || total === undefined
  const said = (): string | null => {
    if (isWaiting) return t('search.waits')
    if (pages === undefined) return list.isError ? null : t('loading')
    if ((isNone && !isNarrow) || !isSaid) return null
    if (keepsSearching) return t('search.loadingOlder')
    return total === undefined && hasNextPage ? t('search.soFar', { found }) : found
  }
  const rows = <OrderRows orders={orders} isSearch={q !== ''} now={list.dataUpdatedAt} {...selection} />
  return (
    <>
      {/* Always mounted, so that the live region announces changes. Without a search the tabs show the count. */}
      <p
        className={
          isWaiting || (pages !== undefined && total === undefined && !isNone)
            ? styles.found
            : 'visually-hidden'
        }
        role="status"
        data-screen
      >
        {said()}
      </p>
      {list.isLoadingError ? failure(list.refetch) : null}
      {pages === undefined && !list.isError ? <RowSkeletons /> : null}
      {keepsSearching ? <RowSkeletons /> : null}
      {isNone && !isNarrow ? <EmptyState title={t('empty.title')} text={t('empty.text')} /> : null}
      {isNone && isNarrow ? (
        <EmptyState
          title={t('search.none')}
          action={<Button onClick={onClear}>{t('search.clear')}</Button>}
        />
      ) : null}
      <Namesakes count={q === '' ? 0 : countNamesakes(orders)} />
      {orders.length === 0 ? null : OrdersTable === undefined || !isBeside ? (
        rows
      ) : (
        // Rows are the fallback when the table cannot be loaded, for example without a network.
        <ErrorBoundary resetKey="" fallback={() => rows}>
          <Suspense fallback={<RowSkeletons />}>
            <OrdersTable
              orders={orders}
              now={list.dataUpdatedAt}
              filters={filters}
              onFilter={onFilter}
              isWhole={!hasNextPage}
              {...selection}
            />
          </Suspense>
        </ErrorBoundary>
      )}
      {isFetchNextPageError ? failure(fetchNextPage) : null}
      {pages && hasNextPage && !keepsSearching && !isFetchNextPageError ? (
        <Button className={styles.more} isBusy={list.isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {list.isFetchingNextPage ? t('loadingMore') : t('more')}
        </Button>
      ) : null}
    </>
  )
}

/** True when `count` is the first count of `state`. An undefined count, as in a search, does not replace the first one. */
function useIsFirst(state: string | null, count: number | undefined): boolean {
  const [first, setFirst] = useState<{ state: typeof state; count: number; isOver: boolean }>()
  if (count === undefined) return false
  if (first?.state !== state) setFirst({ state, count, isOver: false })
  else if (count !== first.count && !first.isOver) setFirst({ ...first, isOver: true })
  return first?.state === state && count === first.count && !first.isOver
}

/** The note for customers with the same name. Their orders do not open automatically: the agent compares the digits. */
function Namesakes({ count }: { readonly count: number }) {
  const { t } = useTranslation('agent-orders')
  return (
    <p
      className={count === 0 ? undefined : classes(layout.line, layout.gap3, styles.namesakes)}
      role="status"
      data-screen
    >
      {count === 0 ? null : (
        <>
          <Icon name="alert" />
          <span>{t('search.namesakes', { count })}</span>
        </>
      )}
    </p>
  )
}

/** A placeholder in the shape of the rows that load. */
function RowSkeletons() {
  return (
    <div aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={`${layout.grid} ${layout.gap3} ${styles.skeleton}`}>
          <i />
          <i className={styles.skeletonLine} />
          <i />
        </div>
      ))}
    </div>
  )
}
