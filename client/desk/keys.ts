import { useEffect, useEffectEvent } from 'react'
import { readStored } from '#client/platform/browser-storage.ts'

/*
 * Keys of the desk, by their place (`event.code`): they are the same in every layout of letters. None acts in a field or a
 * dialog, and the operator can switch them off (WCAG 2.1.4).
 */

/** Acts by key: `j`, `/`, `?`, or two keys in a row (`g o`). A key is named by its place, whatever letter it types. */
export type Keys = Readonly<Record<string, () => void>>

/** How long the first of two keys waits for the second. */
const pairMs = 1_500

/** Handles a key and returns true, or returns false for an unknown key. The layer added last is asked first. */
type Layer = (name: string) => boolean
const layers: Layer[] = []
let pairUntil = 0

/** The keys act while the component is mounted. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((name: string) => {
    const act = keys[name]
    act?.()
    return act !== undefined
  })
  useEffect(() => {
    const layer: Layer = (name) => press(name)
    layers.push(layer)
    if (layers.length === 1) document.addEventListener('keydown', onKeyDown)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

const withOwnKeys =
  'input:not([type="radio"]):not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"]'

function nameOf({ code, shiftKey }: KeyboardEvent): string | undefined {
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return shiftKey ? undefined : /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
}

function onKeyDown(event: KeyboardEvent): void {
  const { code, target } = event
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (readStored('deskKeys') === 'off') return
  if (target instanceof Element && target.closest(withOwnKeys)) return
  const isPair = event.timeStamp < pairUntil
  pairUntil = 0
  if (code === 'KeyG' && !isPair) {
    pairUntil = event.timeStamp + pairMs
    return
  }
  const name = nameOf(event)
  if (name === undefined) return
  if (layers.findLast((layer) => layer(isPair ? `g ${name}` : name))) event.preventDefault()
}

/*
 * The link of a row has the attribute `data-row`, with the id of the row. J and K move the focus through these links, and Enter
 * opens the link in focus.
 */

/** The id of the row in focus. */
export const focusedRow = (): string | undefined =>
  document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? undefined

/** The link of the row that an element is in. */
export const linkOfRow = (element: Element | null) =>
  element?.closest('tr')?.querySelector<HTMLElement>('[data-row]')

/**
 * @returns a function that returns the focus to the element that has it now, if no other element has it by then. When that
 * element is gone or disabled, the link of its row gets the focus.
 */
export function focusKeeper(): () => void {
  const had = document.activeElement
  const link = linkOfRow(had)
  return () => {
    for (const each of [had, link])
      if (document.activeElement === document.body && each instanceof HTMLElement)
        each.focus({ preventScroll: true })
  }
}

/** J and K move the focus through the rows of the page. */
export function useRowKeys(): void {
  const move = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const next = at < 0 ? rows.at(by === 1 ? 0 : -1) : rows[Math.min(Math.max(at + by, 0), rows.length - 1)]
    next?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
}

/** True for Ctrl and Enter, or Command and Enter on a Mac. */
export const isSendKey = ({
  key,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean => key === 'Enter' && (ctrlKey || metaKey)
