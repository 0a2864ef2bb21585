import { type ReactNode, type RefObject, useId } from 'react'
import { formatTime } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptySearch } from '#client/ui/empty-search.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { longestSearch } from '#shared/orders/orders.operations.ts'
import styles from './agent-orders.module.css'

interface SearchProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly onEnter: () => void
  /** Arrow down moves the focus to the list. */
  readonly onDown: () => void
}

interface CounterHeadProps extends SearchProps {
  /** The button that opens the scan page, before the search. */
  readonly scan: ReactNode
  /** The note below the search: the list is not fresh. */
  readonly children: ReactNode
}

/** Scan and search, always within reach below the dark bar. On a phone the search is a square that opens in the place of Scan. */
export function CounterHead({ scan, children, ...search }: CounterHeadProps) {
  return (
    <div className={styles.head} data-screen>
      <div className={`${layout.line} ${layout.gap2} ${styles.tools}`}>
        {scan}
        <Search {...search} />
      </div>
      {children}
    </div>
  )
}

function Search({ field, search, onSearch, onEnter, onDown }: SearchProps) {
  const { t } = useTranslation('agent-orders')
  const searchId = useId()
  return (
    <div className={`${layout.grid} ${styles.search}`}>
      <label htmlFor={searchId} className="visually-hidden">
        {t('search.label')}
      </label>
      <Icon name="search" />
      <input
        ref={field}
        id={searchId}
        type="search"
        className={`${fieldStyles.input} ${styles.input}`}
        value={search}
        // Browsers must not offer customers' names and phones to the next person at the counter.
        autoComplete="off"
        enterKeyHint="search"
        maxLength={longestSearch}
        placeholder={t('search.placeholder')}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter()
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          onDown()
        }}
      />
      <EmptySearch field={field} search={search} onEmpty={() => onSearch('')} />
    </div>
  )
}

interface StaleNoteProps {
  /** Undefined while the list is fresh. */
  readonly reason: 'offline' | 'failed' | undefined
  /** When the list was loaded, epoch ms. */
  readonly knownAt: number
  readonly onRetry: () => void
}

/** Says when the list was last loaded. The note is amber: the list refreshes automatically as soon as it can. */
export function StaleNote({ reason, knownAt, onRetry }: StaleNoteProps) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  // The live region is always mounted, so that changes are announced.
  return (
    <div role="status">
      {reason === undefined ? null : (
        <div className={`${layout.line} ${layout.gap2} ${styles.stale}`}>
          <Icon name="offline" />
          <span className={styles.staleText}>
            {t(reason === 'offline' ? 'staleOffline' : 'stale', {
              time: formatTime(knownAt, language),
            })}
          </span>
          {reason === 'offline' ? null : (
            <Button look="quiet" className={styles.again} onClick={onRetry}>
              {t('tryAgain', { ns: 'ui' })}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
