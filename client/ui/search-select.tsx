import { Select, type SelectProps } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import './search-select.css'

interface SearchOption<V extends string> {
  readonly value: V
  readonly label: string
}

/** Five rows and a half: half a row says that there are more, and the list stays above a phone's keyboard. */
const usualListHeightPx = 268

/** Stands in the list when nothing fits: a listbox without options is invalid, and nobody would hear of it. */
const nothing = ''

type AntSelect<V extends string> = SelectProps<V | typeof nothing, SearchOption<V | typeof nothing>>

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
  /** Said in the list when the search finds nothing. */
  readonly nothingFound: string
}

/** antd's searchable list, with what a screen reader and a keyboard need of it. */
export function SearchSelect<V extends string, O extends SearchOption<V>>({
  options,
  onChange,
  isFound,
  renderOption,
  nothingFound,
  listHeight = usualListHeightPx,
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
    <Select<V | typeof nothing, SearchOption<V | typeof nothing>>
      {...rest}
      listHeight={listHeight}
      options={hasNothing ? [{ value: nothing, label: nothingFound }] : [...options]}
      onChange={(value) => {
        if (value !== nothing) onChange(value)
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
      // antd's own icons bring English names into an Arabic page.
      suffixIcon={<Icon name="chevron" />}
      // Virtual rows have no role and no name for a screen reader.
      virtual={false}
    />
  )
}

/** What scrolls must be within a keyboard's reach. antd draws the scrolling box without a way to say so. */
function ReachableList({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = box.current?.querySelector('[role="listbox"]')
    list?.closest('.ant-select-dropdown-list-holder')?.setAttribute('tabindex', '0')
  })
  return <div ref={box}>{children}</div>
}
