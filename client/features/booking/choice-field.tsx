import { Select } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { matchesSearch } from '#client/platform/search.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import '#client/ui/icon.css'

export interface Choice {
  readonly value: string
  readonly label: string
  /** Further lines in the list, below the label. */
  readonly details?: readonly string[]
  readonly phone?: string
  /** Other words the choice is found by. */
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
  /** What is known of the chosen one. */
  readonly children?: ReactNode
}

/** Two or three agents with their addresses; on a phone the keyboard takes the rest. */
const listHeightPx = 300

export function ChoiceField(props: ChoiceFieldProps) {
  const { t } = useTranslation('booking')
  const { id, label, error, children } = props
  const errorId = `${id}-error`
  return (
    <div className="choice">
      <label className="choice-label" htmlFor={id}>
        {label}
      </label>
      <Select<string, Choice>
        id={id}
        className="choice-select"
        placeholder={props.placeholder}
        options={[...props.choices]}
        value={props.value}
        onChange={props.onChange}
        loading={props.isLoading}
        disabled={props.isLoading || props.isDisabled === true}
        {...(error === undefined ? {} : { status: 'error' as const })}
        aria-required
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        showSearch={{
          filterOption: (input, choice) =>
            choice !== undefined &&
            matchesSearch(input, [
              choice.label,
              choice.phone,
              ...(choice.details ?? []),
              ...(choice.alsoFoundBy ?? []),
            ]),
        }}
        optionRender={(option) => <ChoiceRow choice={option.data} />}
        notFoundContent={<p className="choice-none">{t('noMatch')}</p>}
        // antd's own icons bring English names into an Arabic page.
        suffixIcon={<Chevron />}
        listHeight={listHeightPx}
        // Virtual rows have no role and no name for a screen reader.
        virtual={false}
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

function Chevron() {
  return (
    <svg className="icon choice-chevron" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="m6 9 6 6 6-6" />
    </svg>
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
