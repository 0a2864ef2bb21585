import { awbOf } from './airway-bill.rules.ts'

/** Scanners send a key every few milliseconds, people none within this time. */
const longestGapMs = 80

/** Fewer keys before Enter are a person who types fast. */
const shortestBarcode = 6

/** The keys of a hand scanner so far. */
export interface WedgeKeys {
  /** One character per key; `?` for a key that is no digit. */
  readonly text: string
  /** Time of the last key in milliseconds. */
  readonly lastAt: number
}

export const noKeys: WedgeKeys = { text: '', lastAt: Number.NEGATIVE_INFINITY }

export type WedgeReading = { readonly kind: 'awb'; readonly awb: string } | { readonly kind: 'wrong' }

/** A key by its place on the keyboard: the character depends on the layout, which may be Arabic. */
interface Key {
  /** `KeyboardEvent.code` */
  readonly code: string
  /** Milliseconds, of any origin. */
  readonly at: number
}

const modifier = /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock)/
const terminators: readonly string[] = ['Enter', 'NumpadEnter', 'Tab']

/** Takes in one key. A scanner types the barcode and ends it with Enter or Tab. */
export function afterKey(
  before: WedgeKeys,
  { code, at }: Key,
): { readonly keys: WedgeKeys; readonly reading?: WedgeReading } {
  if (modifier.test(code)) return { keys: before }
  const isFast = at - before.lastAt <= longestGapMs
  const text = isFast ? before.text : ''
  if (!terminators.includes(code)) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? '?'
    return { keys: { text: text + digit, lastAt: at } }
  }
  const awb = awbOf(text)
  if (awb !== undefined) return { keys: noKeys, reading: { kind: 'awb', awb } }
  return text.length >= shortestBarcode ? { keys: noKeys, reading: { kind: 'wrong' } } : { keys: noKeys }
}
