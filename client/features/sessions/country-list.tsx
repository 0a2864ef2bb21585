import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { type Country, isCountryFound, listCountries } from './countries.ts'
import styles from './country-picker.module.css'

interface CountryListProps {
  readonly value: Country['iso']
  readonly onChoose: (country: Country['iso']) => void
  readonly onCancel: () => void
}

/** The list of all countries, with a search. */
export function CountryList({ value, onChoose, onCancel }: CountryListProps) {
  const { t } = useTranslation('sessions')
  const language = useLanguage()
  const countries = useMemo(() => listCountries(language), [language])
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const found = query === '' ? countries : countries.filter((country) => isCountryFound(country, query))
  const optionId = (iso: string) => `${listId}-${iso}`
  const current = found[active]
  const currentId = current === undefined ? undefined : optionId(current.iso)

  useEffect(() => {
    // Missing in jsdom.
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView?.({ block: 'nearest' })
  }, [currentId])

  function move(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive(Math.min(Math.max(active + step, 0), found.length - 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (current !== undefined) onChoose(current.iso)
    }
  }

  return (
    <Overlay
      kind="sheet"
      title={t('country')}
      onClose={onCancel}
      top={
        <>
          <div className={`${fieldStyles.input} ${fieldStyles.search}`}>
            <Icon name="search" />
            <input
              type="search"
              data-unringed
              role="combobox"
              aria-label={t('countrySearch')}
              placeholder={t('countrySearch')}
              aria-expanded={found.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={currentId}
              autoComplete="off"
              value={query}
              onChange={(event) => {
                setQuery(event.target.value)
                setActive(0)
              }}
              onKeyDown={move}
            />
          </div>
          <p className={styles.none} role="status">
            {found.length === 0 ? t('countryNone') : ''}
          </p>
        </>
      }
    >
      {found.length === 0 ? null : (
        <div ref={list} id={listId} className={styles.list} role="listbox" aria-label={t('country')}>
          {found.map((country, index) => (
            // The focus stays in the search field, which names the active option.
            <button
              key={country.iso}
              id={optionId(country.iso)}
              type="button"
              className={index === active ? `${styles.option} ${styles.isActive}` : styles.option}
              role="option"
              tabIndex={-1}
              aria-selected={country.iso === value}
              onClick={() => onChoose(country.iso)}
            >
              <span>{country.name}</span>
              <Ltr>{`+${country.dialCode}`}</Ltr>
            </button>
          ))}
        </div>
      )}
    </Overlay>
  )
}
