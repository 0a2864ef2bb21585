import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { classes } from './classes.ts'
import { EmptySearch } from './empty-search.tsx'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import layout from './layout.module.css'
import { Overlay } from './overlay.tsx'
import styles from './picker.module.css'
import textStyles from './text.module.css'

interface PickerItem {
  readonly value: string
  readonly label: string
}

interface PickerGroup<Item extends PickerItem> {
  /** Undefined for a list without headings. */
  readonly title?: string | undefined
  /** At the end of the heading. */
  readonly note?: string | undefined
  readonly items: readonly Item[]
  /** The group opens in place. The group of the chosen item is open from the start. */
  readonly isFolded?: boolean
}

export interface PickerList<Item extends PickerItem> {
  readonly groups: readonly PickerGroup<Item>[]
  /** The items that a search has found; all items while nothing is searched for. */
  readonly found: readonly Item[]
}

interface PickerProps<Item extends PickerItem> {
  readonly title: string
  readonly searchLabel: string
  /** The list for a query, which is empty while nothing is searched for. */
  readonly find: (query: string) => PickerList<Item>
  /** Shown when a search finds nothing. */
  readonly none?: string
  readonly value: Item['value'] | null
  /** The reason why an item cannot be chosen, as a text; undefined for an item that can be chosen. */
  readonly stoppedBy?: (value: Item['value']) => string | undefined
  /** Before the label, below it, at the end of its line, and a control beside the row. */
  readonly parts?: (item: Item) => {
    start?: ReactNode
    details?: ReactNode
    end?: ReactNode
    beside?: ReactNode
  }
  /** Rows of one line. */
  readonly isDense?: boolean
  /** Below the search. */
  readonly top?: ReactNode
  readonly returnTo?: (() => HTMLElement | null | undefined) | undefined
  readonly onChoose: (value: Item['value']) => void
  readonly onClose: () => void
}

export const plainList = <Item extends PickerItem>(items: readonly Item[]): PickerList<Item> => ({
  groups: [{ items }],
  found: items,
})

/**
 * A sheet with a search and a list. A press on a row chooses it. Enter in the search chooses the only find; the arrow keys lead
 * from the search to the rows and from row to row.
 */
export function Picker<Item extends PickerItem>(props: PickerProps<Item>) {
  const { title, searchLabel, find, none, value, stoppedBy, onChoose } = props
  const { t } = useTranslation('ui')
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const { groups, found } = find(query)

  // The chosen item is in view from the start. The method is missing in jsdom.
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'center' }), [])

  // Another list is read from its start.
  const heading = groups[0]?.title
  const shownHeading = useRef(heading)
  useEffect(() => {
    const scroller = list.current?.parentElement
    if (shownHeading.current !== heading && scroller) scroller.scrollTop = 0
    shownHeading.current = heading
  }, [heading])

  /** The rows and headings that can be pressed, except rows in a closed group. */
  const stops = () =>
    [...(list.current?.querySelectorAll<HTMLElement>('[data-row]:enabled, summary') ?? [])].filter(
      (stop) => stop.tagName === 'SUMMARY' || stop.closest('details:not([open])') === null,
    )

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    // The picker may stand in a form, which Enter would send.
    event.preventDefault()
    const [only, ...others] = found
    if (event.key === 'Enter' && only !== undefined && others.length === 0) {
      if (stoppedBy?.(only.value) === undefined) onChoose(only.value)
      return
    }
    const rows = stops()
    const start = rows.find((row) => row.hasAttribute('aria-current')) ?? rows[0]
    start?.focus()
  }

  function onListKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const rows = stops()
    const { activeElement } = document
    const at = activeElement instanceof HTMLElement ? rows.indexOf(activeElement) : -1
    if (step === 0 || at < 0) return
    event.preventDefault()
    rows[at + step]?.focus()
  }

  return (
    <Overlay
      kind="sheet"
      title={title}
      onClose={props.onClose}
      returnTo={props.returnTo}
      top={
        <>
          <div className={`${layout.line} ${fieldStyles.input} ${fieldStyles.search}`}>
            <label className={`${layout.line} ${layout.gap3} ${styles.search}`}>
              <Icon name="search" />
              <span className={`${layout.grid} ${styles.typed}`}>
                <input
                  ref={field}
                  type="search"
                  data-unringed
                  aria-label={searchLabel}
                  // Makes `:placeholder-shown` match. The text beside it breaks into lines, which a placeholder cannot.
                  placeholder=" "
                  autoComplete="off"
                  enterKeyHint="search"
                  value={query}
                  onChange={(event) => setQuery(event.target.value)}
                  onKeyDown={onSearchKey}
                />
                <span aria-hidden="true">{searchLabel}</span>
              </span>
            </label>
            <EmptySearch field={field} search={query} onEmpty={() => setQuery('')} />
          </div>
          {props.top}
          <p role="status" className={found.length === 0 ? textStyles.hint : 'visually-hidden'}>
            {query === ''
              ? ''
              : found.length === 0
                ? (none ?? t('picker.none'))
                : t('picker.found', { count: found.length })}
          </p>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are an addition to Tab, which reaches each row */}
      <div ref={list} className={props.isDense ? styles.dense : undefined} onKeyDown={onListKey}>
        {groups.map((group) => (
          // A search shows another list: what was opened in the last one is closed.
          <Group key={`${group.title} ${query !== ''}`} group={group} value={value}>
            {group.items.map((item) => (
              <Row
                key={item.value}
                item={item}
                isChosen={item.value === value}
                stopped={stoppedBy?.(item.value)}
                parts={props.parts?.(item)}
                onChoose={onChoose}
              />
            ))}
          </Group>
        ))}
      </div>
    </Overlay>
  )
}

interface GroupProps {
  readonly group: PickerGroup<PickerItem>
  readonly value: string | null
  readonly children: ReactNode
}

function Group({ group: { title, note, items, isFolded = false }, value, children }: GroupProps) {
  const list = items.length === 0 ? null : <ul>{children}</ul>
  if (title === undefined) return list
  const heading = (
    <>
      {isFolded ? <bdi className={styles.groupName}>{title}</bdi> : <h3>{title}</h3>}
      {note === undefined ? null : <span className={textStyles.hint}>{note}</span>}
    </>
  )
  if (!isFolded)
    return (
      <section>
        <div className={`${layout.split} ${styles.band}`}>{heading}</div>
        {list}
      </section>
    )
  return (
    <details className={styles.fold} open={items.some((item) => item.value === value)}>
      <summary className={`${layout.line} ${layout.gap3}`}>
        {heading}
        <Icon name="chevron" />
      </summary>
      {list}
    </details>
  )
}

interface RowProps<Item extends PickerItem> {
  readonly item: Item
  readonly isChosen: boolean
  readonly stopped: string | undefined
  readonly parts: { start?: ReactNode; details?: ReactNode; end?: ReactNode; beside?: ReactNode } | undefined
  readonly onChoose: (value: Item['value']) => void
}

function Row<Item extends PickerItem>({ item, isChosen, stopped, parts = {}, onChoose }: RowProps<Item>) {
  const { start, details, end, beside } = parts
  return (
    <li className={classes(layout.line, styles.item, isChosen && styles.isChosen)}>
      <button
        type="button"
        data-row
        className={`${layout.line} ${layout.gap3} ${styles.row}`}
        aria-current={isChosen || undefined}
        disabled={stopped !== undefined}
        onClick={() => onChoose(item.value)}
      >
        {start === undefined ? null : <span className={styles.part}>{start}</span>}
        <span className={`${layout.grid} ${styles.text}`}>
          <span className={`${layout.split} ${styles.head}`}>
            <bdi className={styles.name}>{item.label}</bdi>
            {end === undefined ? null : <bdi className={styles.end}>{end}</bdi>}
          </span>
          {stopped === undefined ? null : <span className={styles.stopped}>{stopped}</span>}
          {details === undefined ? null : <span className={styles.part}>{details}</span>}
        </span>
        {isChosen ? <Icon name="tick" /> : null}
      </button>
      {beside}
    </li>
  )
}
