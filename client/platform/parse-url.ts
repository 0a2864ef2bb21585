/** As URL.parse, which iOS lacks before 18; undefined for a text that is no address. */
export function parseUrl(text: string, base: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
