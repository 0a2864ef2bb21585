/*
 * A key opens search, and operators type on at once, even while the page's file is loading. The text typed before the field
 * appears is kept for the field.
 */

/** The typed text, and whether the operator pressed Enter. */
export interface TypedAhead {
  readonly text: string
  readonly isSent: boolean
}

/** When the page has not loaded after this time, the keys work as usual again. */
const longestMs = 5_000

let typed: TypedAhead | undefined
let until = 0

/** Starts to collect the typed text, when the key of search is pressed. */
export function beginTypingAhead(): void {
  if (typed === undefined) document.addEventListener('keydown', collect, true)
  typed = { text: '', isSent: false }
  until = performance.now() + longestMs
}

/** Ends collecting and returns the text for the focused field; `undefined` when no key opened the page. */
export function takeTypedAhead(): TypedAhead | undefined {
  const taken = typed
  typed = undefined
  document.removeEventListener('keydown', collect, true)
  return taken
}

function collect(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (typed === undefined || performance.now() > until) {
    takeTypedAhead()
    return
  }
  if (event.isComposing || ctrlKey || metaKey || altKey) return
  if (key.length === 1) typed = { ...typed, text: typed.text + key }
  else if (key === 'Backspace') typed = { ...typed, text: typed.text.slice(0, -1) }
  else if (key === 'Enter') typed = { ...typed, isSent: true }
  else return
  event.preventDefault()
  event.stopPropagation()
}
