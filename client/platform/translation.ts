import { defaultLanguage, type LanguageCode } from '#shared/platform/language.ts'

/** A catalogue, `<namespace>.<language>.json`. */
export interface Texts {
  readonly [key: string]: string | Texts
}

export interface TextValues {
  /** Of the form that the language has for this number: `<key>_one`, `<key>_few` … */
  readonly count?: number
  /** Searched instead of the namespaces of the component. */
  readonly ns?: string
  readonly lng?: LanguageCode
  /** Where no catalogue has the key; without it the key. */
  readonly defaultValue?: string
  /** What fills `{{name}}`. */
  readonly [name: string]: unknown
}

/** The text of `a.key`, or of `namespace:a.key`, as it is on screen. */
export type Translate = (key: string, values?: TextValues) => string

const loaded = new Map<string, Texts>()
const nameOf = (language: LanguageCode, namespace: string) => `${language} ${namespace}`

export function addTextsOf(language: LanguageCode, namespace: string, texts: Texts): void {
  loaded.set(nameOf(language, namespace), texts)
}

export const hasTextsOf = (language: LanguageCode, namespace: string): boolean =>
  loaded.has(nameOf(language, namespace))

/** Of several namespaces the first that has the key counts; a key that is missing in a language is shown in the default one. */
export function translate(
  language: LanguageCode,
  namespaces: readonly string[],
  key: string,
  { ns, lng = language, defaultValue, ...values }: TextValues = {},
): string {
  const [path = '', named = ns] = key.split(':').reverse()
  for (const namespace of named === undefined ? namespaces : [named])
    for (const code of [lng, defaultLanguage]) {
      const text = textAt(code, namespace, path, values.count)
      if (text !== undefined) return filled(text, values)
    }
  return defaultValue ?? path
}

function textAt(language: LanguageCode, namespace: string, path: string, count: unknown): string | undefined {
  const texts = loaded.get(nameOf(language, namespace))
  const at = (key: string) => {
    const found = key.split('.').reduce<Texts | string | undefined>(inside, texts)
    return typeof found === 'string' ? found : undefined
  }
  const form = typeof count === 'number' ? at(`${path}_${pluralRulesOf(language).select(count)}`) : undefined
  return form ?? at(path)
}

/** Keys may come from outside: only a catalogue's own are texts. */
const inside = (texts: Texts | string | undefined, name: string) =>
  typeof texts === 'object' && Object.hasOwn(texts, name) ? texts[name] : undefined

const filled = (text: string, values: Readonly<Record<string, unknown>>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

const rules = new Map<LanguageCode, Intl.PluralRules>()

function pluralRulesOf(language: LanguageCode): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known
}
