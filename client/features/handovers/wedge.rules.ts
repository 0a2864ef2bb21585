import { foldDigits } from '#shared/platform/phone.ts'
import { awbOf } from './airway-bill.rules.ts'

/** Bluetooth sends a key every 100 ms, a cable every few milliseconds. A busy browser adds to the gap. */
const longestGapMs = 120

/** After this long without a key the scan has ended, even when the scanner sends no Enter. */
export const silenceMs = 400

/** Fewer keys than this may come from a person who types fast. */
const shortestBarcode = 6

/** The keys that a hand scanner has typed. */
export interface WedgeKeys {
  /** One character per key: a digit, a letter, `]` or `*`; `.` for another one, `?` for a key that the page cannot read. */
  readonly text: string
  /** Time of the last key in milliseconds. */
  readonly lastAt: number
}

export const noKeys: WedgeKeys = { text: '', lastAt: Number.NEGATIVE_INFINITY }

/**
 * `wrong`: another barcode. `unread`: a scanner has typed, but the page could not read its number; the scanner needs a text
 * field.
 */
export type WedgeReading =
  | { readonly kind: 'awb'; readonly awb: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'unread' }

interface Key {
  /** `KeyboardEvent.code`: the place on the keyboard. Empty for the keys of an input method, as on Android. */
  readonly code: string
  /** `KeyboardEvent.key`: the character, which depends on the layout. */
  readonly key: string
  /** Milliseconds since any fixed moment. */
  readonly at: number
}

/** Keys that type no character. */
const silentKey = /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock|Arrow|Page|Home|End|Escape)/
const terminators: readonly string[] = ['Enter', 'NumpadEnter', 'Tab']

/** Adds one key. A scanner types the barcode and ends it with Enter or Tab. */
export function afterKey(
  before: WedgeKeys,
  { code, key, at }: Key,
): { readonly keys: WedgeKeys; readonly reading?: WedgeReading } {
  const name = code === '' ? key : code
  if (silentKey.test(name)) return { keys: before }
  const isFast = at - before.lastAt <= longestGapMs
  const text = isFast ? before.text : ''
  if (!terminators.includes(name)) return { keys: { text: text + characterOf({ code, key }), lastAt: at } }
  const awb = awbOf(text)
  if (awb !== undefined) return { keys: noKeys, reading: { kind: 'awb', awb } }
  if (text.length < shortestBarcode) return { keys: noKeys }
  return { keys: noKeys, reading: { kind: text.includes('?') ? 'unread' : 'wrong' } }
}

/** Ends the scan after `silenceMs` without a key: a barcode without Enter counts as unread. */
export function afterSilence({ text }: WedgeKeys): WedgeReading | undefined {
  return text.length < shortestBarcode ? undefined : { kind: 'unread' }
}

/** Reads a key by its place on the keyboard, because the layout may be Arabic. Only the star has no place of its own. */
function characterOf({ code, key }: Omit<Key, 'at'>): string {
  if (key === '*') return key
  if (code === 'BracketRight') return ']'
  const atPlace = /^(?:Digit|Numpad|Key)([\dA-Z])$/.exec(code)?.[1]
  if (atPlace !== undefined) return atPlace
  if (code !== '') return '.'
  return [...key].length === 1 ? foldDigits(key) : '?'
}
