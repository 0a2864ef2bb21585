import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Ltr } from '#client/ui/ltr.tsx'
import { SearchSelect } from '#client/ui/search-select.tsx'
import { matchesSearch } from '#shared/platform/search.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  /** Further lines in the list, below the label. */
  readonly details?: readonly string[]
  readonly phone?: string
  /** Further texts the search matches. */
  readonly alsoFoundBy?: readonly string[]
}

interface ChoiceFieldProps {
  readonly id: string
  readonly label: string
  readonly placeholder: string
  readonly choices: readonly Choice[]
  readonly value: string | null
  readonly onChange: (value: string) => void
  readonly isLoading: boolean
  readonly isDisabled?: boolean
  readonly error?: string | undefined
  /** Details of the chosen item. */
  readonly children?: ReactNode
}

/** Fits above a phone's keyboard. The half-visible last row shows that the list can be scrolled. */
const listHeightPx = 312

export function ChoiceField(props: ChoiceFieldProps) {
  const { t } = useTranslation('booking')
  const { id, label, error, children } = props
  const errorId = `${id}-error`
  return (
    <div className="choice">
      <label className="choice-label" htmlFor={id}>
        {label}
      </label>
      <SearchSelect<string, Choice>
        id={id}
        className="choice-select"
        placeholder={props.placeholder}
        options={props.choices}
        value={props.value}
        onChange={props.onChange}
        loading={props.isLoading}
        disabled={props.isLoading || props.isDisabled === true}
        {...(error === undefined ? {} : { status: 'error' as const })}
        aria-required
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        isFound={(choice, query) =>
          matchesSearch(query, [
            choice.label,
            choice.phone,
            ...(choice.details ?? []),
            ...(choice.alsoFoundBy ?? []),
          ])
        }
        renderOption={(choice) => <ChoiceRow choice={choice} />}
        nothingFound={t('noMatch')}
        listHeight={listHeightPx}
      />
      {error === undefined ? null : (
        <p className="choice-error" id={errorId}>
          {error}
        </p>
      )}
      {children === undefined || children === null ? null : <div className="choice-details">{children}</div>}
    </div>
  )
}

function ChoiceRow({ choice }: { readonly choice: Choice }) {
  return (
    <span className="choice-row">
      <span>
        <bdi>{choice.label}</bdi>
      </span>
      {choice.details?.map((detail) => (
        <span key={detail} className="choice-row-detail">
          <bdi>{detail}</bdi>
        </span>
      ))}
      {choice.phone === undefined ? null : (
        <span className="choice-row-detail">
          <Ltr>{choice.phone}</Ltr>
        </span>
      )}
    </span>
  )
}
