import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { useHeadingFocus } from '#client/ui/heading-focus.ts'
import { Loading } from '#client/ui/loading.tsx'
import { Sheet } from '#client/ui/sheet.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { agentOrdersQuery } from './agent-orders.queries.ts'
import { requestOf, searchedWords } from './agent-orders.rules.ts'
import { CounterHead, StaleNote } from './counter-head.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FoundOrders, pagesOf } from './found-orders.tsx'
import { OrderDetail } from './order-detail.tsx'
import { rowId } from './order-rows.tsx'
import { useOrderSearch } from './use-order-search.ts'
import { useIsBeside, useSelection, useShownOrder } from './use-shown-order.ts'
import './agent-orders.css'
import './agent-orders.texts.ts'

/** For each loaded page, so that a long list is not asked for more often. Hidden pages do not refresh. */
const refreshMs = 20_000

interface AgentOrdersPageProps {
  readonly agentId: number
  /** The button that scans, beside the search. */
  readonly scan?: ReactNode
  /** What the agent does with a bag of an order. */
  readonly actionFor?: (order: Order, awb: string) => ReactNode
}

/** The counter: who waits, oldest first, and the bag of the selected one. */
export function AgentOrdersPage(props: AgentOrdersPageProps) {
  return <Counter key={props.agentId} {...props} />
}

function Counter({ agentId, scan, actionFor }: AgentOrdersPageProps) {
  const { t } = useTranslation('agent-orders')
  const heading = useHeadingFocus()
  useDocumentTitle(t('title'))
  const { search, taken, setSearch, take, filters, setFilter, clear, openId, open, close } = useOrderSearch()
  const q = searchedWords(taken)
  const request = requestOf(q, filters)
  const isOffline = useConnection() === 'offline'
  const list = useInfiniteQuery({
    ...agentOrdersQuery(agentId, request),
    refetchInterval: ({ state }) => !isOffline && refreshMs * Math.max(1, state.data?.pages.length ?? 1),
  })
  const orders = pagesOf(list)?.flatMap((page) => page.orders)
  const isBeside = useIsBeside()
  const [selectedId, select] = useSelection(orders, JSON.stringify(request))
  const shownId = isBeside ? selectedId : openId
  const shown = useShownOrder(shownId, orders, !isOffline && refreshMs)
  const staleness = isOffline ? 'offline' : 'failed'
  const isStale = orders !== undefined && (isOffline || list.isRefetchError)

  const detail =
    shown === undefined ? (
      <Loading />
    ) : (
      <OrderDetail
        key={shown.orderId}
        order={shown}
        actionFor={actionFor && ((awb) => actionFor(shown, awb))}
        isCutOff={isStale}
        onLabel={() => void list.refetch()}
      />
    )
  return (
    <div className="counter">
      <h1 ref={heading} tabIndex={-1} className="visually-hidden">
        {t('title')}
      </h1>
      <CounterHead
        scan={scan}
        search={search}
        onSearch={setSearch}
        onEnter={take}
        onDown={() => document.querySelector<HTMLElement>('.counter-open[tabindex="0"]')?.focus()}
      >
        <StaleNote
          reason={isStale ? staleness : undefined}
          knownAt={list.dataUpdatedAt}
          onRetry={() => void list.refetch()}
        />
      </CounterHead>
      <div className="counter-body">
        <div className="counter-list">
          <FilterBar
            q={q}
            filters={filters}
            onFilter={setFilter}
            counts={list.data?.pages[0]?.counts}
            isRefreshing={list.isRefetching && !list.isPlaceholderData}
            onRefresh={() => void list.refetch()}
          />
          <FoundOrders
            list={list}
            orders={orders ?? []}
            q={q}
            filters={filters}
            onClear={clear}
            selectedId={selectedId}
            isBeside={isBeside}
            onSelect={select}
            onOpen={(id) => {
              select(id)
              if (!isBeside) open(id)
            }}
          />
        </div>
        {isBeside && shownId !== undefined ? <div className="counter-detail">{detail}</div> : null}
      </div>
      {!isBeside && openId !== undefined ? (
        <Sheet title={t('detail')} openerId={rowId(openId)} onClose={close}>
          <div className="counter-sheet">{detail}</div>
        </Sheet>
      ) : null}
    </div>
  )
}
