/** Times are epoch milliseconds in our code, and ISO 8601 (UTC) outside of it. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

export const isDate = (date: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) === date

/** The Kingdom is at UTC+3 all year (docs/wires/shipping.md K5). */
export const riyadhOffset = '+03:00'
export const riyadhOffsetMs = 3 * 60 * 60 * 1000

export function riyadhTimeOf(epochMs: number): string {
  return isoOf(epochMs + riyadhOffsetMs).slice(0, -1)
}

export const riyadhMinuteOf = (epochMs: number): string =>
  riyadhTimeOf(epochMs).slice(0, 16).replace('T', ' ')
