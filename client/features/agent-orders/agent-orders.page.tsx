import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useRef } from 'react'
import { useUnsent } from '#client/entities/handover/use-unsent.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { pollBesideStreamMs, pollWithoutStreamMs } from '#client/platform/live.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { usePageHeading } from '#client/ui/page-heading.ts'
import { useSettling } from '#client/ui/use-settling.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import styles from './agent-orders.module.css'
import { agentOrdersQuery } from './agent-orders.queries.ts'
import { type ListRequest, onlyFound, requestOf, searchedWords } from './agent-orders.rules.ts'
import { CounterHead, StaleNote } from './counter-head.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FoundOrders, pagesOf } from './found-orders.tsx'
import { OrderDetail } from './order-detail.tsx'
import { focusRows, rowId } from './order-rows.tsx'
import type { OrdersTableProps } from './orders-table.tsx'
import { useAgentEvents } from './use-agent-events.ts'
import { useOrderSearch } from './use-order-search.ts'
import { useIsBeside, useOpened, useSelection, useShownOrder } from './use-shown-order.ts'

interface AgentOrdersPageProps {
  readonly agentId: number
  /** The button that opens the scan page, next to the search. */
  readonly scan?: ReactNode
  /** Renders the actions for one bag of an order; `onDone` goes on to the next order. */
  readonly actionFor?: ((order: Order, awb: string, onDone: () => void) => ReactNode) | undefined
  /** The content below the list. */
  readonly foot?: ReactNode
  /** The bar at the bottom edge, with the outcome of the last bag. */
  readonly bar?: ReactNode
  /** The table for wide screens. When left out, wide screens show rows, too. */
  readonly table?: ComponentType<OrdersTableProps>
}

/** The counter: the waiting pilgrims, oldest first, and the bag of the selected order. */
export function AgentOrdersPage({ agentId, scan, actionFor, foot, bar, table }: AgentOrdersPageProps) {
  const { t } = useTranslation('agent-orders')
  const heading = usePageHeading(t('title'))
  const counter = useCounter(agentId)
  const { field, search, setSearch, take, openId, close, isBeside, selectedId, onDone } = counter
  const { list, orders, staleness, knownAt, everyMs, refresh } = counter
  const shownId = isBeside ? selectedId : openId
  // When the sheet closes after a confirmation, rows appear under the agent's finger: they ignore presses for a moment.
  const settling = useSettling(openId === undefined)
  const detail =
    shownId === undefined ? null : (
      <ShownOrder
        id={shownId}
        orders={orders ?? (list.isFetched ? [] : undefined)}
        everyMs={everyMs}
        actionFor={actionFor && ((order, awb) => actionFor(order, awb, onDone))}
        isCutOff={staleness !== undefined}
        onLabel={refresh}
      />
    )
  return (
    <div className={`${layout.stack} ${styles.counter}`} {...(openId === undefined && settling)}>
      <h1 ref={heading} tabIndex={-1} className="visually-hidden">
        {t('title')}
      </h1>
      <CounterHead
        scan={scan}
        field={field}
        search={search}
        onSearch={setSearch}
        onEnter={take}
        onDown={focusRows}
      >
        <StaleNote reason={staleness} knownAt={knownAt} onRetry={refresh} />
      </CounterHead>
      <div className={`${layout.grid} ${layout.gap5} ${styles.body}`}>
        <CounterList counter={counter} agentId={agentId} foot={foot} table={table} />
        {isBeside && detail ? (
          <div className={styles.detail} data-screen>
            {detail}
          </div>
        ) : null}
      </div>
      {bar ? <div className={styles.bar}>{bar}</div> : null}
      {/* A sheet shows the order when the screen is too narrow to show it next to the list. */}
      {!isBeside && openId !== undefined ? (
        <Overlay
          kind="sheet"
          title={t('detail')}
          onClose={close}
          returnTo={() => document.getElementById(rowId(openId))}
        >
          <div className={styles.sheet}>{detail}</div>
        </Overlay>
      ) : null}
    </div>
  )
}

interface CounterListProps extends Pick<AgentOrdersPageProps, 'agentId' | 'foot'> {
  readonly table: ComponentType<OrdersTableProps> | undefined
  readonly counter: ReturnType<typeof useCounter>
}

function CounterList({ counter, agentId, foot, table }: CounterListProps) {
  const { q, filters, setFilter, clear, list, orders, refresh, selectedId, select, isBeside, open } = counter
  const unsent = useUnsent(agentId)
  return (
    <div className={`${layout.stack} ${styles.list}`}>
      <FilterBar
        agentId={agentId}
        orders={orders ?? []}
        q={q}
        filters={filters}
        onFilter={setFilter}
        counts={list.data?.pages[0]?.counts}
        isRefreshing={list.isRefetching && !list.isPlaceholderData}
        onRefresh={refresh}
      />
      <FoundOrders
        list={list}
        orders={orders ?? []}
        q={q}
        filters={filters}
        onClear={clear}
        onFilter={setFilter}
        table={table}
        unsent={unsent}
        selectedId={selectedId}
        onSelect={select}
        onOpen={(id) => {
          select(id)
          if (!isBeside) open(id)
        }}
      />
      {foot ? <div className={styles.foot}>{foot}</div> : null}
    </div>
  )
}

/** The search text, the orders found, and the order on screen. */
function useCounter(agentId: number) {
  const field = useRef<HTMLInputElement>(null)
  const search = useOrderSearch(agentId, () => field.current?.focus())
  const q = searchedWords(search.taken)
  const request = requestOf(q, search.filters)
  const found = useAgentList(agentId, request)
  const { orders, list } = found
  const isBeside = useIsBeside()
  const only = onlyFound(q, orders, list.hasNextPage)
  const [selectedId, select] = useSelection(orders, only, JSON.stringify(request))
  useOpened(isBeside || search.search !== search.taken ? undefined : only, q, search.open)
  return {
    field,
    ...search,
    q,
    ...found,
    isBeside,
    selectedId,
    select,
    refresh: () => void list.refetch(),
    /** Called when the bag of the shown order was confirmed or refused. */
    onDone: () => {
      select()
      search.finish()
    },
  }
}

/** The orders that `request` lists. They refresh automatically while there is a network. */
function useAgentList(agentId: number, request: ListRequest) {
  const isOffline = useConnection() === 'offline'
  const isLive = useAgentEvents(agentId)
  const everyMs = !isOffline && (isLive ? pollBesideStreamMs : pollWithoutStreamMs)
  const list = useInfiniteQuery({
    ...agentOrdersQuery(agentId, request),
    // The interval grows with each loaded page, so that a long list does not cause more requests. Hidden pages do not refresh.
    refetchInterval: ({ state }) => everyMs && everyMs * Math.max(1, state.data?.pages.length ?? 1),
  })
  const orders = pagesOf(list)?.flatMap((page) => page.orders)
  const keptAt = pagesOf(list)?.[0]?.knownAt
  const isStale = list.isRefetchError || keptAt !== undefined
  const reason = isOffline ? ('offline' as const) : isStale ? ('failed' as const) : undefined
  return { list, orders, everyMs, staleness: orders && reason, knownAt: keptAt ?? list.dataUpdatedAt }
}

interface ShownOrderProps {
  readonly id: number
  readonly actionFor: ((order: Order, awb: string) => ReactNode) | undefined
  /** `undefined` until the orders are loaded; empty when they could not be loaded. */
  readonly orders: readonly Order[] | undefined
  readonly everyMs: number | false
  readonly isCutOff: boolean
  readonly onLabel: () => void
}

function ShownOrder({ id, orders, everyMs, actionFor, ...rest }: ShownOrderProps) {
  const { order, problem, retry } = useShownOrder(id, orders, everyMs)
  if (order === undefined)
    return problem === null ? <Loading /> : <FailureState problem={problem} onRetry={retry} />
  return (
    <OrderDetail
      key={order.orderId}
      order={order}
      actionFor={actionFor && ((awb) => actionFor(order, awb))}
      {...rest}
    />
  )
}
