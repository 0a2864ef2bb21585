import { createInstance } from 'i18next'
import type { LanguageCode } from '#shared/platform/language.ts'

interface Catalogue {
  readonly [name: string]: string | Catalogue
}

type Values = Readonly<Record<string, string | number>>

/**
 * The names in a catalogue that lead to a text, joined with dots. `bills_one` and `bills_other` are plural forms of
 * `bills`.
 */
export type TextKey<C> = {
  [Name in keyof C & string]: C[Name] extends string ? WithoutForm<Name> : `${Name}.${TextKey<C[Name]>}`
}[keyof C & string]
type WithoutForm<Name> = Name extends `${infer Key}_${Intl.LDMLPluralRule}` ? Key : Name

/** `count` chooses the plural form. A missing key or value throws. */
export type Texts<C> = (key: TextKey<C>, values?: Values) => string

const instance = createInstance()
void instance.init({
  initAsync: false,
  resources: {},
  fallbackLng: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  parseMissingKeyHandler(key) {
    throw new Error(`the catalogue has no text ${key}`)
  },
  // The error does not quote the text, which can already contain other values, such as a name.
  missingInterpolationHandler(_text, [placeholder]: RegExpExecArray) {
    throw new Error(`a text has no value for ${placeholder}`)
  },
})

/** The client's declarations of i18next's types fit only the client's catalogues. */
const { getFixedT } = instance as unknown as {
  getFixedT(
    language: LanguageCode,
    namespace: string,
  ): (
    key: string,
    options: { readonly replace: Values; readonly count: unknown; readonly nest: false },
  ) => string
}

export function loadTexts<C extends Catalogue>(
  namespace: string,
  catalogues: Readonly<Record<LanguageCode, Catalogue>> & { readonly en: C },
): (language: LanguageCode) => Texts<C> {
  for (const [language, catalogue] of Object.entries(catalogues))
    instance.addResourceBundle(language, namespace, catalogue)
  return (language) => {
    const t = getFixedT(language, namespace)
    // A value in a text, such as a name that a user typed, must not be read as a template.
    return (key, values = {}) => t(key, { replace: values, count: values.count, nest: false })
  }
}
