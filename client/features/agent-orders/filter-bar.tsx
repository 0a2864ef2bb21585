import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import type { AgentOrderPage } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './agent-orders.module.css'
import { cityOptions, type Filters, listedState, tabsOf } from './agent-orders.rules.ts'

interface FilterBarProps {
  readonly q: string
  readonly filters: Filters
  readonly onFilter: (name: keyof Filters, value: string) => void
  readonly counts: AgentOrderPage['counts'] | undefined
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

/** A tab for each state with its count. City, sorting and refresh are folded away. */
export function FilterBar({ q, filters, onFilter, counts, isRefreshing, onRefresh }: FilterBarProps) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  const foldId = useId()
  const [isOpen, setIsOpen] = useState(filters.order !== null)
  const listed = listedState(filters, q)
  return (
    <>
      <fieldset
        className={`${layout.cluster} ${layout.gap2} ${styles.tabs}`}
        aria-label={t('filter.state')}
        data-screen
      >
        {tabsOf(counts, listed).map((state) => (
          <button
            key={state}
            type="button"
            className={buttonStyles.chip}
            aria-pressed={state === listed}
            // In a search the agent can release a pressed state: the list then shows all states again.
            onClick={() =>
              onFilter('state', (q === '' ? state === 'waiting' : state === listed) ? '' : state)
            }
          >
            <span>{t(`filter.states.${state}`)}</span>
            {counts ? <b>{counts[state]}</b> : null}
          </button>
        ))}
        <button
          type="button"
          className={classes(buttonStyles.chip, styles.fold, filters.city !== null && styles.isOn)}
          aria-expanded={isOpen}
          aria-controls={foldId}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span>{filters.city === null ? t('filter.fold') : cityName(filters.city, language)}</span>
          <Icon name="chevron" />
        </button>
      </fieldset>
      <div
        id={foldId}
        className={classes(isOpen && layout.grid, layout.gap3, styles.filters)}
        hidden={!isOpen}
        data-screen
      >
        <CityFilter filters={filters} onFilter={onFilter} />
        <Filter
          label={t('filter.order')}
          value={filters.order}
          onChange={(value) => onFilter('order', value)}
          otherwise={t('filter.orders.oldest')}
          options={[{ value: 'newest', text: t('filter.orders.newest') }]}
        />
        <Button icon="refresh" onClick={onRefresh}>
          {isRefreshing ? t('refreshing') : t('refresh')}
        </Button>
      </div>
    </>
  )
}

function CityFilter({ filters, onFilter }: Pick<FilterBarProps, 'filters' | 'onFilter'>) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  // The branches are optional: without them only the city in the address is offered.
  const branches = useQuery(centersQuery).data?.centers ?? []
  return (
    <Filter
      label={t('filter.city')}
      value={filters.city}
      onChange={(value) => onFilter('city', value)}
      otherwise={t('filter.all')}
      options={cityOptions(
        branches.map(({ city }) => city),
        filters.city,
        language,
      )}
    />
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string) => void
  /** Shown while nothing is selected. */
  readonly otherwise: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
}

/** A native select: the fastest control on a phone. */
function Filter({ label, value, onChange, otherwise, options }: FilterProps) {
  return (
    <label className={classes(layout.grid, layout.gap1, fieldStyles.label, styles.filter)}>
      <span>{label}</span>
      <select
        className={`${fieldStyles.input} ${styles.select}`}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{otherwise}</option>
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
