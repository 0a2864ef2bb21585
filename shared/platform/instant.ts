/** A time is in epoch milliseconds in our code, and in ISO 8601 (UTC) outside. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** False for a date that does not exist, such as `2027-02-30`. */
export const isDate = (date: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) === date

/** The Kingdom is at UTC+3 all year (docs/wires/shipping.md K5). */
export const riyadhOffset = '+03:00'
export const riyadhOffsetMs = 3 * 60 * 60 * 1000

/** Returns the time in Riyadh without its zone: `2027-05-18T15:30:00.000`. */
export function riyadhTimeOf(epochMs: number): string {
  return isoOf(epochMs + riyadhOffsetMs).slice(0, -1)
}

export const riyadhMinuteOf = (epochMs: number): string =>
  riyadhTimeOf(epochMs).slice(0, 16).replace('T', ' ')
