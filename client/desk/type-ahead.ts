/*
 * Search is opened by a key, and hands type on at once, also while the page's file is on its way: what is typed until the
 * field is there waits for it.
 */

/** What was typed, and whether Enter ended it. */
export interface TypedAhead {
  readonly text: string
  readonly isSent: boolean
}

/** A page that does not come gives the keys back. */
const longestMs = 5_000

let typed: TypedAhead | undefined
let until = 0

/** From the press of the key on. */
export function beginTypingAhead(): void {
  if (typed === undefined) document.addEventListener('keydown', collect, true)
  typed = { text: '', isSent: false }
  until = performance.now() + longestMs
}

/** For the field, once it has the focus; undefined where no key of search led here. */
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
