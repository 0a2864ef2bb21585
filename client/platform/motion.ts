/** False where less motion is asked for, and where that is not known: things are then at once where they end. */
export function mayMove(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: no-preference)').matches ?? false
}
