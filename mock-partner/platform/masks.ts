/** What stands in the place of a secret. */
export const masked = '***'

/** Longer texts inside a JSON body, such as a label, are shortened to their beginning. */
const longText = /"([^"\\]{80})[^"\\]{1920,}"/g

interface MaskRules {
  /** Names in small letters. */
  headers: readonly string[]
  /** Fields of JSON, forms and queries whose value is a secret. */
  fields: readonly string[]
  /** Secrets wherever they stand. */
  values: readonly string[]
  patterns?: readonly (readonly [pattern: RegExp, replacement: string])[]
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Hides secrets in what testers read. */
export function createMasks({ headers, fields, values, patterns = [] }: MaskRules) {
  const names = fields.map(escaped).join('|')
  // Without the closing quote: the text may have been cut inside a secret.
  const inJson = new RegExp(`("(?:${names})"\\s*:\\s*")[^"]*`, 'g')
  const inPairs = new RegExp(`((?:^|[?&])(?:${names})=)[^&\\s]*`, 'g')
  const anywhere = new RegExp(
    values
      .filter((value) => value !== '')
      .map(escaped)
      .join('|') || '(?!)',
    'g',
  )

  const text = (original: string): string =>
    patterns.reduce(
      (result, [pattern, replacement]) => result.replace(pattern, replacement),
      original.replace(inJson, `$1${masked}`).replace(inPairs, `$1${masked}`).replace(anywhere, masked),
    )

  return {
    text,
    /** Shortens long texts inside a body. */
    shorten: (body: string): string =>
      body.length < 2_000 ? body : body.replace(longText, (_all, beginning: string) => `"${beginning}…"`),
    headers(given: Readonly<Record<string, unknown>>): Record<string, string> {
      const shown = Object.entries(given).flatMap(([name, value]): [string, string][] => {
        if (value === undefined || value === null) return []
        return [[name, headers.includes(name.toLowerCase()) ? masked : text(String(value))]]
      })
      return Object.fromEntries(shown)
    },
  }
}
export type Masks = ReturnType<typeof createMasks>
