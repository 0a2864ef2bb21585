import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from './button.tsx'
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

interface PickerProps<Item extends PickerItem> {
  readonly title: string
  readonly searchLabel: string
  readonly items: readonly Item[]
  /** The same items under headings, while nothing is searched for. */
  readonly groups?: readonly { readonly title: string; readonly items: readonly Item[] }[]
  readonly value: Item['value'] | null
  readonly isFound: (item: Item, query: string) => boolean
  /** The reason why an item cannot be chosen, as a text; undefined for an item that can be chosen. */
  readonly stoppedBy?: (value: Item['value']) => string | undefined
  /** Before the label, below it, and at the end of the row. */
  readonly parts?: (item: Item) => { start?: ReactNode; details?: ReactNode; end?: ReactNode }
  /** Rows of one line. */
  readonly isDense?: boolean
  /** Below the search. */
  readonly top?: ReactNode
  readonly returnTo?: (() => HTMLElement | null | undefined) | undefined
  readonly onChoose: (value: Item['value']) => void
  readonly onClose: () => void
}

/**
 * A sheet with a search and a list of radio buttons, which are one tab stop. A tap chooses. The arrow keys pick a row; Enter,
 * or the button, chooses it.
 */
export function Picker<Item extends PickerItem>(props: PickerProps<Item>) {
  const { title, searchLabel, items, groups = [], value, isFound, stoppedBy, parts, onChoose } = props
  const { t } = useTranslation('ui')
  const group = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [picked, setPicked] = useState<string | null>(value)
  const [isByKey, setIsByKey] = useState(false)
  const found = query === '' ? items : items.filter((item) => isFound(item, query))
  // Enter chooses a single find, too.
  const pick = items.find((item) => item.value === picked) ?? (found.length === 1 ? found[0] : undefined)
  const candidate = pick && stoppedBy?.(pick.value) === undefined ? pick : undefined
  // A tap needs no button.
  const hasButton = candidate !== undefined && (isByKey || candidate.value !== picked)

  // The chosen item is in view from the start. The method is missing in jsdom.
  useEffect(
    () => list.current?.querySelector(':checked')?.closest('label')?.scrollIntoView?.({ block: 'center' }),
    [],
  )

  function search(next: string): void {
    setQuery(next)
    const isHidden = next !== '' && !items.some((item) => item.value === picked && isFound(item, next))
    if (isHidden) setPicked(null)
  }

  function choose(): void {
    if (candidate !== undefined) onChoose(candidate.value)
  }

  function onKey(event: KeyboardEvent): void {
    // The picker may stand in a form, which Enter would send.
    if (event.key === 'Enter') {
      event.preventDefault()
      choose()
    }
    if (event.key !== 'ArrowDown' || !(event.target instanceof HTMLInputElement)) return
    if (event.target.type !== 'search') return
    const rows = [...(list.current?.querySelectorAll<HTMLInputElement>('input:enabled') ?? [])]
    const row = rows.find(({ checked }) => checked) ?? rows[0]
    if (row === undefined) return
    event.preventDefault()
    row.focus()
    row.click()
  }

  const row = (item: Item) => {
    const stopped = stoppedBy?.(item.value)
    const { start, details, end } = parts?.(item) ?? {}
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the radio button takes the keys. Its arrow keys make clicks, too, of detail 0.
      <label
        key={item.value}
        className={`${layout.line} ${layout.gap3} ${styles.row}`}
        onClick={(event) => {
          if (event.detail === 0 || stopped !== undefined) return
          // The label would press the radio button, too: a second tap.
          event.preventDefault()
          onChoose(item.value)
        }}
      >
        <input
          type="radio"
          className={styles.radio}
          data-unringed
          name={group}
          value={item.value}
          checked={item.value === candidate?.value}
          disabled={stopped !== undefined}
          onChange={() => {
            setIsByKey(true)
            setPicked(item.value)
          }}
          onKeyDown={onKey}
        />
        {start === undefined ? null : <span className={styles.part}>{start}</span>}
        <span className={`${layout.grid} ${styles.text}`}>
          <bdi className={styles.name}>{item.label}</bdi>
          {stopped === undefined ? null : <span className={styles.stopped}>{stopped}</span>}
          {details === undefined ? null : <span className={styles.part}>{details}</span>}
        </span>
        {end === undefined ? null : <bdi className={styles.end}>{end}</bdi>}
      </label>
    )
  }

  return (
    <Overlay
      kind="sheet"
      title={title}
      onClose={props.onClose}
      returnTo={props.returnTo}
      top={
        <>
          <label
            className={`${layout.line} ${layout.gap3} ${fieldStyles.input} ${fieldStyles.search} ${styles.search}`}
          >
            <Icon name="search" />
            <input
              type="search"
              data-unringed
              aria-label={searchLabel}
              placeholder={searchLabel}
              autoComplete="off"
              enterKeyHint="search"
              value={query}
              onChange={(event) => search(event.target.value)}
              onKeyDown={onKey}
            />
          </label>
          {props.top}
          <p role="status" className={found.length === 0 ? textStyles.hint : 'visually-hidden'}>
            {query === ''
              ? ''
              : found.length === 0
                ? t('picker.none')
                : t('picker.found', { count: found.length })}
          </p>
        </>
      }
      bottom={
        hasButton ? (
          <Button look="primary" isWide onClick={choose}>
            {t('picker.choose', { name: candidate.label })}
          </Button>
        ) : null
      }
    >
      <div
        ref={list}
        className={props.isDense ? styles.dense : undefined}
        role="radiogroup"
        aria-label={title}
        aria-required="true"
      >
        {query === '' && groups.length > 0
          ? groups.map((each) => (
              <div key={each.title}>
                <h3 className={styles.group}>{each.title}</h3>
                {each.items.map(row)}
              </div>
            ))
          : found.map(row)}
      </div>
    </Overlay>
  )
}
