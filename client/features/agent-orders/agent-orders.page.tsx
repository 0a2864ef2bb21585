import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { LabelLink } from '#client/ui/awb.tsx'
import { CardTable } from '#client/ui/card-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { OrderNumber } from '#client/ui/order-number.tsx'
import { Page } from '#client/ui/page.tsx'
import { PhoneLink, PlaceView } from '#client/ui/place.tsx'
import { StatusBadge } from '#client/ui/status-badge.tsx'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { agentOrdersQuery } from './agent-orders.queries.ts'
import {
  dateRanges,
  type Filters,
  filterOrders,
  filterStatuses,
  findOrders,
  isBeyond,
  isFiltering,
  isWorthLoadingOlder,
  knownStatus,
  labelStates,
  readFilters,
  toneOf,
} from './agent-orders.rules.ts'
import './agent-orders.css'
import './agent-orders.texts.ts'
import '#client/ui/buttons.css'

export function AgentOrdersPage({ agentId }: { readonly agentId: number }) {
  const { t } = useTranslation('agent-orders')
  return (
    <Page title={t('title')} width="table">
      <AssignedOrders agentId={agentId} />
    </Page>
  )
}

function AssignedOrders({ agentId }: { readonly agentId: number }) {
  const { t } = useTranslation('agent-orders')
  const { search, setSearch, filters, setFilter, clear } = useWanted()
  const wanted = useDeferredValue(search)
  const list = useInfiniteQuery(agentOrdersQuery(agentId))
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const orders = list.data?.pages.flatMap((page) => page.orders) ?? []
  const now = Date.now()

  // The bag at the counter may belong to an order far down: a search goes through all pages, one by one.
  const isChoosy = isWorthLoadingOlder(wanted) || isFiltering(filters)
  const looksForOlder = isChoosy && hasNextPage && !isFetchNextPageError && !isBeyond(orders, filters, now)
  const pagesLoaded = list.data?.pages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may come between two renders, unseen as fetching
  useEffect(() => {
    if (looksForOlder && !isFetching) void fetchNextPage()
  }, [looksForOlder, isFetching, pagesLoaded, fetchNextPage])

  if (list.isPending) return <Loading label={t('loading')} />
  if (!list.data) {
    return <FailureState title={t('failed')} problem={list.error} onRetry={() => void list.refetch()} />
  }

  const found = findOrders(filterOrders(orders, filters, now), wanted)
  return (
    <>
      <Toolbar
        search={search}
        onSearch={setSearch}
        isRefreshing={list.isRefetching}
        onRefresh={() => void list.refetch()}
      />
      <FilterBar filters={filters} onFilter={setFilter} />
      {wanted === '' && !isFiltering(filters) ? null : (
        <p className="assigned-found" role="status">
          {looksForOlder ? t('search.loadingOlder') : t('search.found', { count: found.length })}
        </p>
      )}
      {list.isRefetchError ? (
        <FailureState title={t('failed')} problem={list.error} onRetry={() => void list.refetch()} />
      ) : null}
      {orders.length === 0 ? <EmptyState title={t('empty.title')} text={t('empty.text')} /> : null}
      {orders.length > 0 && found.length === 0 && !looksForOlder ? (
        <EmptyState
          title={t('search.none')}
          action={
            <button type="button" className="button" onClick={clear}>
              {t('search.clear')}
            </button>
          }
        />
      ) : null}
      <ul className="assigned">
        {found.map((order) => (
          <li key={order.orderId}>
            <AssignedOrder order={order} />
          </li>
        ))}
      </ul>
      {isFetchNextPageError ? (
        <FailureState title={t('failed')} problem={list.error} onRetry={() => void fetchNextPage()} />
      ) : null}
      {hasNextPage && !looksForOlder && !isFetchNextPageError ? (
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

/**
 * What is looked for. The filters stand in the address, to be kept and sent on. The words do not: names and phones
 * belong neither in a browser's history nor in a message; they stay with the entry, for a reload and for Back.
 */
function useWanted() {
  const navigate = useNavigate()
  const { state, search: address } = useLocation()
  const [query] = useSearchParams()
  const [search, setSearch] = useState(() => wordsIn(state))

  function go(next: URLSearchParams, words: string): void {
    void navigate({ search: next.toString() }, { replace: true, state: { words } })
  }
  return {
    search,
    filters: readFilters(query),
    setSearch: (words: string) => {
      setSearch(words)
      go(new URLSearchParams(address), words)
    },
    setFilter: (name: keyof Filters, value: string) => {
      const next = new URLSearchParams(address)
      if (value === '') next.delete(name)
      else next.set(name, value)
      go(next, search)
    },
    clear: () => {
      setSearch('')
      go(new URLSearchParams(), '')
    },
  }
}

function wordsIn(state: unknown): string {
  const words = typeof state === 'object' && state !== null && 'words' in state ? state.words : ''
  return typeof words === 'string' ? words : ''
}

interface FilterBarProps {
  readonly filters: Filters
  readonly onFilter: (name: keyof Filters, value: string) => void
}

function FilterBar({ filters, onFilter }: FilterBarProps) {
  const { t } = useTranslation('agent-orders')
  return (
    <fieldset className="assigned-filters">
      <legend className="visually-hidden">{t('filter.title')}</legend>
      <Filter
        label={t('filter.status')}
        value={filters.status}
        onChange={(value) => onFilter('status', value)}
        options={filterStatuses.map((value) => ({ value, text: t(`status.${value}`) }))}
      />
      <Filter
        label={t('filter.label')}
        value={filters.label}
        onChange={(value) => onFilter('label', value)}
        options={labelStates.map((value) => ({ value, text: t(`filter.labels.${value}`) }))}
      />
      <Filter
        label={t('filter.date')}
        value={filters.date}
        onChange={(value) => onFilter('date', value)}
        options={dateRanges.map((value) => ({ value, text: t(`filter.dates.${value}`) }))}
      />
    </fieldset>
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string) => void
  readonly options: readonly { readonly value: string; readonly text: string }[]
}

/** A select of the system: the fastest to use on a phone, and the same everywhere. */
function Filter({ label, value, onChange, options }: FilterProps) {
  const { t } = useTranslation('agent-orders')
  return (
    <label className="assigned-filter">
      <span>{label}</span>
      <select
        className="assigned-input"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{t('filter.all')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ToolbarProps {
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

function Toolbar({ search, onSearch, isRefreshing, onRefresh }: ToolbarProps) {
  const { t } = useTranslation('agent-orders')
  const searchId = useId()
  return (
    <div className="assigned-tools">
      <div className="assigned-search">
        <label htmlFor={searchId}>{t('search.label')}</label>
        <input
          id={searchId}
          type="search"
          className="assigned-input"
          value={search}
          // The words are looked for here and go nowhere: names and phones do not belong in a browser's history.
          autoComplete="off"
          dir="auto"
          placeholder={t('search.placeholder')}
          onChange={(event) => onSearch(event.target.value)}
        />
      </div>
      <button type="button" className="button" onClick={onRefresh}>
        {isRefreshing ? t('refreshing') : t('refresh')}
      </button>
    </div>
  )
}

function AssignedOrder({ order }: { readonly order: Order }) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  const titleId = useId()
  const status = knownStatus(order.status)
  return (
    <article className="assigned-order" aria-labelledby={titleId}>
      <header className="assigned-head">
        <h2 className="assigned-number" id={titleId}>
          <OrderNumber orderId={order.orderId} />
        </h2>
        <StatusBadge tone={toneOf(order.status)} text={status ? t(`status.${status}`) : order.status} />
        <span className="assigned-type">{t(`types.${order.type}`)}</span>
      </header>
      <dl className="assigned-facts">
        <div>
          <dt>{t('customer')}</dt>
          <dd>{order.user?.name ? <bdi>{order.user.name}</bdi> : t('noName')}</dd>
        </div>
        {order.user?.phone ? (
          <div>
            <dt>{t('phone')}</dt>
            <dd>
              <PhoneLink phone={order.user.phone} />
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{t('createdAt')}</dt>
          <dd>
            <time dateTime={order.creationDate}>{formatDateTime(order.creationDate, language)}</time>
          </dd>
        </div>
        {order.transactionId ? (
          <div>
            <dt>{t('transactionId')}</dt>
            <dd>
              <Ltr>{order.transactionId}</Ltr>
            </dd>
          </div>
        ) : null}
      </dl>
      <CardTable
        caption={t('columns.caption')}
        columns={[
          { name: t('columns.origin') },
          { name: t('columns.destination') },
          { name: t('columns.awb'), isNarrow: true },
          { name: t('columns.download'), isNarrow: true },
        ]}
        rows={order.bookings.map((booking, index) => ({
          key: String(index),
          cells: [
            <PlaceView key="origin" place={booking.origin} language={language} />,
            <PlaceView key="destination" place={booking.destination} language={language} />,
            <AwbCell key="awb" booking={booking} isPaid={order.status === 'PAID'} />,
            booking.awb === null ? null : (
              <LabelLink
                key="download"
                awb={booking.awb}
                href={operationHref(readLabelPdf, { awb: booking.awb }, { download: '1' })}
              />
            ),
          ],
        }))}
      />
    </article>
  )
}

function AwbCell({ booking, isPaid }: { readonly booking: Booking; readonly isPaid: boolean }) {
  const { t } = useTranslation('agent-orders')
  if (booking.awb === null) {
    return <span className="assigned-no-awb">{t(isPaid ? 'noAwb.PAID' : 'noAwb.other')}</span>
  }
  return (
    <span className="assigned-awb">
      <Ltr>{booking.awb}</Ltr>
    </span>
  )
}
