import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Icon } from '#client/ui/icon.tsx'
import { type AgentOrderPage, longestSearch } from '#shared/orders/orders.schemas.ts'
import { cityOptions, type Filters, filterStates } from './agent-orders.rules.ts'
import './agent-orders.css'
import './agent-orders.texts.ts'

interface FilterBarProps {
  readonly filters: Filters
  readonly onFilter: (name: keyof Filters, value: string) => void
  readonly counts: AgentOrderPage['counts'] | undefined
}

export function FilterBar({ filters, onFilter, counts }: FilterBarProps) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  // Optional: without the branches only the city in the address is offered.
  const branches = useQuery(centersQuery).data?.centers ?? []
  const cities = branches.map(({ city }) => city)
  return (
    <fieldset className="assigned-filters">
      <legend className="visually-hidden">{t('filter.title')}</legend>
      <Filter
        label={t('filter.state')}
        value={filters.state}
        onChange={(value) => onFilter('state', value)}
        otherwise={t('filter.all')}
        options={filterStates.map((value) => ({
          value,
          text: counts ? `${t(`filter.states.${value}`)} (${counts[value]})` : t(`filter.states.${value}`),
        }))}
      />
      <Filter
        label={t('filter.city')}
        value={filters.city}
        onChange={(value) => onFilter('city', value)}
        otherwise={t('filter.all')}
        options={cityOptions(cities, filters.city, language)}
      />
      <Filter
        label={t('filter.order')}
        value={filters.order}
        onChange={(value) => onFilter('order', value)}
        otherwise={t('filter.orders.newest')}
        options={[{ value: 'oldest', text: t('filter.orders.oldest') }]}
      />
    </fieldset>
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
    <label className="assigned-filter">
      <span>{label}</span>
      <select
        className="assigned-input assigned-select"
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

interface SearchProps {
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly onEnter: () => void
}

export function Search({ search, onSearch, onEnter }: SearchProps) {
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
        // Browsers must not offer customers' names and phones to the next person at the counter.
        autoComplete="off"
        enterKeyHint="search"
        maxLength={longestSearch}
        // By content; an empty field with `auto` would be left-to-right, and its placeholder too.
        dir={search === '' ? undefined : 'auto'}
        placeholder={t('search.placeholder')}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter()
        }}
      />
    </div>
  )
}
