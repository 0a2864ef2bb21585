import { Select, type SelectProps } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import './search-select.css'

interface SearchOption<V extends string> {
  readonly value: V
  readonly label: string
}

/** 5.5 rows: the half row shows that the list can be scrolled, and the list stays above a phone's keyboard. */
const defaultListHeightPx = 268

/** The value of the option shown when nothing matches: a listbox without options is invalid and not announced. */
const noMatch = ''

type AntSelect<V extends string> = SelectProps<V | typeof noMatch, SearchOption<V | typeof noMatch>>

interface SearchSelectProps<V extends string, O extends SearchOption<V>>
  extends Pick<
    AntSelect<V>,
    | 'id'
    | 'className'
    | 'classNames'
    | 'placeholder'
    | 'loading'
    | 'disabled'
    | 'status'
    | 'listHeight'
    | 'labelRender'
    | 'popupMatchSelectWidth'
    | 'aria-label'
    | 'aria-required'
    | 'aria-invalid'
    | 'aria-describedby'
  > {
  readonly value: V | null
  readonly options: readonly O[]
  readonly onChange: (value: V) => void
  readonly isFound: (option: O, query: string) => boolean
  readonly renderOption: (option: O) => ReactNode
  /** Shown in the list when nothing matches. */
  readonly nothingFound: string
}

/** antd's searchable Select, made accessible to screen readers and keyboards. */
export function SearchSelect<V extends string, O extends SearchOption<V>>({
  options,
  onChange,
  isFound,
  renderOption,
  nothingFound,
  listHeight = defaultListHeightPx,
  ...rest
}: SearchSelectProps<V, O>) {
  const [query, setQuery] = useState('')
  const byValue = useMemo(
    () => new Map<unknown, O>(options.map((option) => [option.value, option])),
    [options],
  )
  const found = query === '' ? options : options.filter((option) => isFound(option, query))
  const foundValues = new Set<unknown>(found.map(({ value }) => value))
  const hasNothing = query !== '' && found.length === 0
  return (
    <Select<V | typeof noMatch, SearchOption<V | typeof noMatch>>
      {...rest}
      listHeight={listHeight}
      options={hasNothing ? [{ value: noMatch, label: nothingFound }] : [...options]}
      onChange={(value) => {
        if (value !== noMatch) onChange(value)
      }}
      showSearch={{
        onSearch: setQuery,
        filterOption: (_, option) => hasNothing || foundValues.has(option?.value),
      }}
      onOpenChange={(isOpen) => {
        if (!isOpen) setQuery('')
      }}
      optionRender={({ value }) => {
        const option = byValue.get(value)
        return option === undefined ? <p className="search-nothing">{nothingFound}</p> : renderOption(option)
      }}
      popupRender={(list) => <ReachableList>{list}</ReachableList>}
      // antd's own icons have English labels.
      suffixIcon={<Icon name="chevron" />}
      // Virtual rows have no role and no accessible name.
      virtual={false}
    />
  )
}

/** Makes antd's scrolling container focusable, so that it can be scrolled by keyboard. antd has no prop for it. */
function ReachableList({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = box.current?.querySelector('[role="listbox"]')
    list?.closest('.ant-select-dropdown-list-holder')?.setAttribute('tabindex', '0')
  })
  return <div ref={box}>{children}</div>
}
