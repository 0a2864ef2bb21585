/** A time is epoch milliseconds inside and ISO 8601 (UTC) outside. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
