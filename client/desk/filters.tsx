import { Button } from 'antd'
import type { ComponentProps, ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import styles from './filters.module.css'
import fieldStyles from './labelled.module.css'
import { Labelled } from './labelled.tsx'

/** What a list shows is in the address, so that it can be passed on. @param names of its filters */
export function useFilters<Q extends { readonly cursor?: string }>(names: readonly (keyof Q & string)[]) {
  const [address, setAddress] = useSearchParams()
  const given = [...names, 'cursor'].map((name) => [name, address.get(name)?.trim() ?? ''])
  // The server refuses what it does not know.
  const query: Q = Object.fromEntries(given.filter(([, value]) => value !== ''))
  const { cursor, ...filtered } = query
  const textOf = (name: string) => address.get(name) ?? ''
  return {
    query,
    filtered,
    cursor,
    isAny: names.some((name) => address.has(name)),
    textOf,
    /** The list begins again. */
    set(name: string, value: string): void {
      if (value === textOf(name)) return
      setAddress((before) => {
        const after = new URLSearchParams(before)
        after.delete('cursor')
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      })
    },
    clear: () => setAddress({}),
  }
}

export type Filters = Omit<ReturnType<typeof useFilters>, 'query'>

interface FilterBarProps {
  readonly filters: Filters
  readonly label: string
  /** Of the button that takes all away. */
  readonly clear: string
  readonly children: ReactNode
}

export function FilterBar({ filters, label, clear, children }: FilterBarProps) {
  return (
    <section className={styles.filters} aria-label={label}>
      {children}
      {filters.isAny ? (
        <Button type="link" onClick={filters.clear}>
          {clear}
        </Button>
      ) : null}
    </section>
  )
}

interface FieldProps {
  readonly filters: Filters
  readonly name: string
  readonly label: string
}

type TextFilterProps = FieldProps & Pick<ComponentProps<'input'>, 'type' | 'dir' | 'inputMode' | 'maxLength'>

/** A text counts with Enter or when the field is left. */
export function TextFilter({ filters, name, label, ...input }: TextFilterProps) {
  const value = filters.textOf(name)
  const take = (field: HTMLInputElement) => filters.set(name, field.value.trim())
  return (
    <Labelled className={styles.filter} text={label}>
      <input
        className={fieldStyles.native}
        // A filter that was taken away in the address is empty here too.
        key={value}
        {...input}
        defaultValue={value}
        onBlur={({ target }) => take(target)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && take(currentTarget)}
      />
    </Labelled>
  )
}

interface ChoiceFilterProps extends FieldProps {
  /** Of none of them. */
  readonly all: string
  readonly options: readonly (readonly [value: string, text: string])[]
}

/** A choice counts at once. */
export function ChoiceFilter({ filters, name, label, all, options }: ChoiceFilterProps) {
  return (
    <Labelled className={styles.filter} text={label}>
      <select
        className={fieldStyles.native}
        value={filters.textOf(name)}
        onChange={({ target }) => filters.set(name, target.value)}
      >
        <option value="">{all}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

interface PagesProps {
  readonly filters: Filters
  readonly nextCursor: string | null | undefined
  readonly label: string
  readonly first: string
  readonly next: string
}

/** To the first page of a list and to the one after this. */
export function Pages({ filters: { filtered, cursor }, nextCursor, label, first, next }: PagesProps) {
  const at = (more: { readonly cursor?: string }) => ({
    search: `?${new URLSearchParams({ ...filtered, ...more })}`,
  })
  return (
    <nav className={styles.pages} aria-label={label}>
      {cursor === undefined ? null : <Link to={at({})}>{first}</Link>}
      {nextCursor == null ? null : <Link to={at({ cursor: nextCursor })}>{next}</Link>}
    </nav>
  )
}
