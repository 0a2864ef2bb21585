import { Button, Flex, Input, type InputProps, Select } from 'antd'
import { type ReactNode, useId } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import styles from './filters.module.css'
import pageStyles from './page.module.css'

/** Reads and writes the filters of a list in the address, so that a link contains them. @param names of its filters */
export function useFilters<Q extends { readonly cursor?: string }>(names: readonly (keyof Q & string)[]) {
  const [address, setAddress] = useSearchParams()
  const given = [...names, 'cursor'].map((name) => [name, address.get(name)?.trim() ?? ''])
  // The server refuses parameters that it does not know.
  const query: Q = Object.fromEntries(given.filter(([, value]) => value !== ''))
  const { cursor, ...filtered } = query
  const textOf = (name: string) => address.get(name) ?? ''
  return {
    query,
    filtered,
    cursor,
    isAny: names.some((name) => address.has(name)),
    textOf,
    /** Sets a filter and goes back to the first page. */
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
  filters: Filters
  label: string
  /** Text of the button that clears all filters. */
  clear: string
  children: ReactNode
}

export const FilterBar = ({ filters, label, clear, children }: FilterBarProps) => (
  <Flex component="section" wrap align="end" gap="8px 12px" aria-label={label}>
    {children}
    {filters.isAny ? (
      <Button type="link" onClick={filters.clear}>
        {clear}
      </Button>
    ) : null}
  </Flex>
)

interface FieldProps {
  filters: Filters
  name: string
  label: string
}

const Field = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <Flex vertical className={pageStyles.small}>
    <label htmlFor={id}>
      <b>{label}</b>
    </label>
    {children}
  </Flex>
)

type TextFilterProps = FieldProps & Pick<InputProps, 'type' | 'dir' | 'inputMode' | 'maxLength'>

/** A text field; its text takes effect with Enter or when the field loses the focus. */
export function TextFilter({ filters, name, label, ...input }: TextFilterProps) {
  const id = useId()
  const value = filters.textOf(name)
  const take = (field: HTMLInputElement) => filters.set(name, field.value.trim())
  return (
    <Field id={id} label={label}>
      <Input
        id={id}
        className={styles.field}
        // A filter that left the address is empty here too.
        key={value}
        {...input}
        defaultValue={value}
        onBlur={({ target }) => take(target)}
        onPressEnter={({ currentTarget }) => take(currentTarget)}
      />
    </Field>
  )
}

interface ChoiceFilterProps extends FieldProps {
  /** Text of the option that does not filter. */
  all: string
  options: readonly (readonly [value: string, text: string])[]
}

/** A select field; a choice takes effect at once. */
export function ChoiceFilter({ filters, name, label, all, options }: ChoiceFilterProps) {
  const id = useId()
  return (
    <Field id={id} label={label}>
      <Select
        id={id}
        className={styles.field ?? ''}
        popupMatchSelectWidth={false}
        value={filters.textOf(name)}
        onChange={(value) => filters.set(name, value)}
        options={[['', all] as const, ...options].map(([value, text]) => ({ value, label: text }))}
      />
    </Field>
  )
}

interface PagesProps {
  filters: Filters
  nextCursor: string | null | undefined
  label: string
  first: string
  next: string
}

/** Links to the first page of a list and to the next one. */
export function Pages({ filters: { filtered, cursor }, nextCursor, label, first, next }: PagesProps) {
  const at = (more: { cursor?: string }) => ({ search: `?${new URLSearchParams({ ...filtered, ...more })}` })
  return (
    <Flex component="nav" gap="middle" className={styles.pages} aria-label={label}>
      {cursor === undefined ? null : <Link to={at({})}>{first}</Link>}
      {nextCursor == null ? null : <Link to={at({ cursor: nextCursor })}>{next}</Link>}
    </Flex>
  )
}
