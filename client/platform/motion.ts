/** False when the user asks for less motion, or the browser does not say: elements then jump to their end. */
export function mayMove(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: no-preference)').matches ?? false
}
