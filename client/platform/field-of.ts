/** A field of a value of unknown shape: the state of a history entry, or an answer of another server. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
