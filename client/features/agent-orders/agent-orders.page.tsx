import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { OrderCard, OrderFact } from '#client/ui/order-card.tsx'
import { Page } from '#client/ui/page.tsx'
import { PhoneLink } from '#client/ui/place.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
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
  labelStates,
  readFilters,
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
      <div className="assigned-tools">
        <Search search={search} onSearch={setSearch} />
        <FilterBar filters={filters} onFilter={setFilter} />
        <button type="button" className="button" onClick={() => void list.refetch()}>
          {list.isRefetching ? t('refreshing') : t('refresh')}
        </button>
      </div>
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
  const { t: ofCard } = useTranslation('order-card')
  return (
    <fieldset className="assigned-filters">
      <legend className="visually-hidden">{t('filter.title')}</legend>
      <Filter
        label={t('filter.status')}
        value={filters.status}
        onChange={(value) => onFilter('status', value)}
        options={filterStatuses.map((value) => ({ value, text: ofCard(`status.${value}`) }))}
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
        className="assigned-input assigned-select"
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
      <Icon name="chevron" />
    </label>
  )
}

interface SearchProps {
  readonly search: string
  readonly onSearch: (search: string) => void
}

function Search({ search, onSearch }: SearchProps) {
  const { t } = useTranslation('agent-orders')
  const searchId = useId()
  return (
    <div className="assigned-search">
      <label htmlFor={searchId}>{t('search.label')}</label>
      <input
        id={searchId}
        type="search"
        className="assigned-input"
        value={search}
        // The words are looked for here and go nowhere: names and phones do not belong in a browser's history.
        autoComplete="off"
        // By what is typed, name or number; an empty field would be taken for English, and its hint with it.
        dir={search === '' ? undefined : 'auto'}
        placeholder={t('search.placeholder')}
        onChange={(event) => onSearch(event.target.value)}
      />
    </div>
  )
}

function AssignedOrder({ order }: { readonly order: Order }) {
  const { t } = useTranslation('agent-orders')
  const phone = order.user?.phone
  return (
    <OrderCard
      order={order}
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
