/** The sentence of a failed call; undefined where it has none that is fit to be shown. */
export function problemText(error: unknown): string | undefined {
  return error instanceof Error && error.message !== '' ? error.message : undefined
}
