import { useMemo } from 'react'
import { stateOf } from '#client/entities/handover/kept-bags.rules.ts'
import { useKnownOrders } from '#client/entities/handover/kept-bags.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import type { AgentOrderPage, Order } from '#shared/orders/orders.schemas.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './agent-orders.module.css'
import { countCities, type Filters, listedState, tabsOf } from './agent-orders.rules.ts'

interface FilterBarProps {
  readonly agentId: number
  readonly q: string
  readonly filters: Filters
  readonly onFilter: (name: keyof Filters, value: string) => void
  readonly counts: AgentOrderPage['counts'] | undefined
  /** The listed orders, whose cities are offered until this device knows all orders. */
  readonly orders: readonly Order[]
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

/** One row, which scrolls: the states and the cities with their counts, the sorting, and the refresh. */
export function FilterBar({
  agentId,
  q,
  filters,
  onFilter,
  counts,
  orders,
  isRefreshing,
  onRefresh,
}: FilterBarProps) {
  const { t } = useTranslation('agent-orders')
  const listed = listedState(filters, q)
  return (
    <fieldset className={`${layout.line} ${styles.tabs}`} aria-label={t('filter.label')} data-screen>
      {tabsOf(counts, listed).map((state) => (
        <button
          key={state}
          type="button"
          className={buttonStyles.chip}
          aria-pressed={state === listed}
          // In a search the agent can release a pressed state: the list then shows all states again.
          onClick={() => onFilter('state', (q === '' ? state === 'waiting' : state === listed) ? '' : state)}
        >
          <span>{t(`filter.states.${state}`)}</span>
          {counts ? <b>{counts[state]}</b> : null}
        </button>
      ))}
      <CityChips agentId={agentId} filters={filters} listed={listed} orders={orders} onFilter={onFilter} />
      <button
        type="button"
        className={buttonStyles.chip}
        aria-pressed={filters.order === 'newest'}
        onClick={() => onFilter('order', filters.order === 'newest' ? '' : 'newest')}
      >
        {t('filter.newest')}
      </button>
      <button type="button" className={classes(buttonStyles.chip, styles.refresh)} onClick={onRefresh}>
        <Icon name="refresh" />
        <span className="visually-hidden">{isRefreshing ? t('refreshing') : t('refresh')}</span>
      </button>
    </fieldset>
  )
}

interface CityChipsProps extends Pick<FilterBarProps, 'agentId' | 'filters' | 'orders' | 'onFilter'> {
  readonly listed: ReturnType<typeof listedState>
}

function CityChips({ agentId, filters, listed, orders, onFilter }: CityChipsProps) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  const known = useKnownOrders(agentId)
  const { city: chosen } = filters
  const cities = useMemo(() => {
    const inState = known?.filter((order) => listed === null || stateOf(order) === listed)
    return countCities(inState ?? orders, chosen)
  }, [known, orders, listed, chosen])
  return cities.map(({ city, count }) => (
    <button
      key={city}
      type="button"
      className={`${buttonStyles.chip} ${styles.cityChip}`}
      aria-pressed={city === chosen}
      onClick={() => onFilter('city', city === chosen ? '' : city)}
    >
      {cityCode(city) === undefined ? <span>{cityName(city, language)}</span> : <CityBlock city={city} />}
      {count === undefined || known === undefined ? null : <b aria-hidden="true">{count}</b>}
      <span className="visually-hidden">
        {' '}
        <span>{t('filter.inCity', { city: cityName(city, language), count: count ?? 0 })}</span>
      </span>
    </button>
  ))
}
