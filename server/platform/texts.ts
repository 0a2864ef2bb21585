import { createInstance } from 'i18next'
import type { LanguageCode } from '#shared/platform/language.ts'

interface Catalogue {
  readonly [name: string]: string | Catalogue
}

type Values = Readonly<Record<string, string | number>>

/** Names joined with dots. `bills_one` and `bills_other` are plural forms of `bills`. */
export type TextKey<C> = {
  [Name in keyof C & string]: C[Name] extends string ? WithoutForm<Name> : `${Name}.${TextKey<C[Name]>}`
}[keyof C & string]
type WithoutForm<Name> = Name extends `${infer Key}_${Intl.LDMLPluralRule}` ? Key : Name

/**
 * `count` chooses the plural form. @throws when the catalogue has no such key, or the text has a placeholder without a
 * value
 */
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
  // The message does not quote the text: other values, such as a name, may already stand in it.
  missingInterpolationHandler(_text, [placeholder]: RegExpExecArray) {
    throw new Error(`a text has no value for ${placeholder}`)
  },
})

/** The browser declares i18next's resource types for its own catalogues. */
const { getFixedT } = instance as unknown as {
  getFixedT(
    language: LanguageCode,
    namespace: string,
  ): (
    key: string,
    options: { readonly replace: Values; readonly count: unknown; readonly nest: false },
  ) => string
}

/** `locales/<language>.json`. @returns its texts in a language */
export function loadTexts<C extends Catalogue>(
  namespace: string,
  catalogues: Readonly<Record<LanguageCode, Catalogue>> & { readonly en: C },
): (language: LanguageCode) => Texts<C> {
  for (const [language, catalogue] of Object.entries(catalogues))
    instance.addResourceBundle(language, namespace, catalogue)
  return (language) => {
    const t = getFixedT(language, namespace)
    // A value is never read as a template, because people write their names themselves.
    return (key, values = {}) => t(key, { replace: values, count: values.count, nest: false })
  }
}
