import { awbOf } from './airway-bill.rules.ts'

/** After this long out of view, a handled bag may be read again. */
const goneAfterMs = 2_000

/** The camera's readings. */
export interface Readings {
  /** A text that was read once. It is accepted when the next reading is the same. */
  readonly candidate: string | null
  /** The last text that was passed on. It is not passed on again while it stays in view. */
  readonly handled: { readonly text: string; readonly seenAt: number } | null
}

export const noReadings: Readings = { candidate: null, handled: null }

/** `awb`: an airway bill, read twice in succession. `wrong`: another barcode, read twice. */
export type Reading = { readonly kind: 'awb'; readonly awb: string } | { readonly kind: 'wrong' }

/**
 * Adds the texts of one frame. A single reading may be false, so only two equal readings in succession count. Frames without any
 * barcode in between do not break the succession, because a moving hand blurs every other frame.
 */
export function afterFrame(
  before: Readings,
  texts: readonly string[],
  now: number,
): { readonly readings: Readings; readonly reading?: Reading } {
  const distinct = [...new Set(texts)]
  const known = before.handled !== null && now - before.handled.seenAt < goneAfterMs ? before.handled : null
  const kept = known !== null && distinct.includes(known.text) ? { ...known, seenAt: now } : known
  const others = distinct.filter((text) => text !== kept?.text)
  // Several barcodes are in view, for example the labels of two bags: it is not known which one the agent means.
  if (others.length !== 1) {
    const candidate = others.length === 0 && distinct.length === 0 ? before.candidate : null
    return { readings: { candidate, handled: kept } }
  }
  const [text = ''] = others
  if (text !== before.candidate) return { readings: { candidate: text, handled: kept } }
  const awb = awbOf(text)
  return {
    readings: { candidate: null, handled: { text, seenAt: now } },
    reading: awb === undefined ? { kind: 'wrong' } : { kind: 'awb', awb },
  }
}

/** Reading starts again after a pause; the bag of the last reading may still be in view. */
export function resumed({ handled }: Readings, now: number): Readings {
  return { candidate: null, handled: handled === null ? null : { ...handled, seenAt: now } }
}

/** The part of a frame that is decoded: a strip in the middle, to save power. The frame on screen marks the strip. */
export function stripOf({ width, height }: { readonly width: number; readonly height: number }) {
  const stripHeight = Math.round(height * 0.6)
  return { x: 0, y: Math.round((height - stripHeight) / 2), width, height: stripHeight }
}
