/** A field of what may be of any shape: of a history entry's state, or of an answer that is not ours. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
