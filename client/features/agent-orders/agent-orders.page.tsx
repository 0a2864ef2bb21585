import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Page } from '#client/ui/page.tsx'
import { agentOrdersQuery } from './agent-orders.queries.ts'
import { searchedWords } from './agent-orders.rules.ts'
import { FilterBar, Search } from './filter-bar.tsx'
import { FoundOrders } from './found-orders.tsx'
import { useDebounced, useOrderSearch } from './use-order-search.ts'
import './agent-orders.css'
import './agent-orders.texts.ts'
import '#client/ui/buttons.css'

export function AgentOrdersPage({ agentId }: { readonly agentId: number }) {
  const { t } = useTranslation('agent-orders')
  return (
    <Page title={t('title')} width="table">
      <AssignedOrders key={agentId} agentId={agentId} />
    </Page>
  )
}

function AssignedOrders({ agentId }: { readonly agentId: number }) {
  const { t } = useTranslation('agent-orders')
  const { search, setSearch, filters, setFilter, clear } = useOrderSearch()
  const [debounced, takeNow] = useDebounced(search)
  const q = searchedWords(debounced)
  const list = useInfiniteQuery(agentOrdersQuery(agentId, { q, ...filters }))
  const counts = list.data?.pages[0]?.counts
  return (
    <>
      <div className="assigned-tools">
        <Search search={search} onSearch={setSearch} onEnter={takeNow} />
        <FilterBar filters={filters} onFilter={setFilter} counts={counts} />
        <button type="button" className="button" onClick={() => void list.refetch()}>
          {list.isRefetching && !list.isPlaceholderData ? t('refreshing') : t('refresh')}
        </button>
      </div>
      <FoundOrders list={list} q={q} filters={filters} onClear={clear} />
    </>
  )
}
