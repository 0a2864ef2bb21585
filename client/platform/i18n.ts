import i18next, { type ResourceLanguage } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import {
  defaultLanguage,
  isLanguageCode,
  type LanguageCode,
  languageCookie,
  languages,
} from '#shared/platform/language.ts'
import { isPrerendered } from './document.ts'
import { isPseudoWanted, pseudoTexts } from './pseudo.ts'

export const i18n = i18next.createInstance()

function chosenLanguage(): LanguageCode | undefined {
  if (typeof document === 'undefined') return undefined
  const remembered = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${languageCookie.name}=`))
    ?.slice(languageCookie.name.length + 1)
  return isLanguageCode(remembered) ? remembered : undefined
}

/**
 * The language of the text on screen when the page is prerendered, else the cookie's. Never the browser's language:
 * Arabic is the default (spec §1).
 */
function languageAtStart(): LanguageCode {
  if (typeof document === 'undefined') return defaultLanguage
  const served = document.documentElement.lang
  const known = isLanguageCode(served) ? served : defaultLanguage
  return isPrerendered() ? known : (chosenLanguage() ?? known)
}

function showInDocument(language: LanguageCode): void {
  if (typeof document === 'undefined') return
  document.documentElement.lang = language
  document.documentElement.dir = languages[language].direction
}

// `import.meta.env.DEV` is a build constant: the pseudo-language is not in production builds.
const isPseudo = import.meta.env.DEV && isPseudoWanted(window.location.search)

/** The catalogues `<namespace>.<language>.json` of one namespace, by path, as `import.meta.glob` reads them. */
type Catalogues = Readonly<Record<string, ResourceLanguage>>

/** By language; under `?pseudo`, in development alone, generated texts take the place of the Arabic ones. */
function textsByLanguage(catalogues: Catalogues): Record<string, ResourceLanguage> {
  const texts: Record<string, ResourceLanguage> = {}
  for (const [path, catalogue] of Object.entries(catalogues)) {
    const language = /\.([\w-]+)\.json$/.exec(path)?.[1]
    if (language === undefined) throw new Error(`not a catalogue <namespace>.<language>.json: ${path}`)
    texts[language] = catalogue
  }
  return isPseudo && texts.en !== undefined ? { ...texts, ar: pseudoTexts(texts.en) } : texts
}

const startLanguage = languageAtStart()

// `initAsync: false` and bundled texts: the first render has its texts, without Suspense.
void i18n.use(initReactI18next).init({
  lng: startLanguage,
  fallbackLng: defaultLanguage,
  supportedLngs: Object.keys(languages),
  ns: ['platform'],
  defaultNS: 'platform',
  resources: {},
  initAsync: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
  returnNull: false,
})
registerTexts('platform', import.meta.glob('./platform.*.json', { eager: true, import: 'default' }))
showInDocument(startLanguage)

/**
 * Registers the texts of a namespace; `<namespace>.texts.ts` calls it once, when its chunk loads.
 * All languages travel with the chunk, so switching needs no network.
 */
export function registerTexts(namespace: string, catalogues: Catalogues): void {
  for (const [language, texts] of Object.entries(textsByLanguage(catalogues))) {
    i18n.addResourceBundle(language, namespace, texts, false, true, { skipCopy: true })
  }
}

export function currentLanguage(): LanguageCode {
  return isLanguageCode(i18n.language) ? i18n.language : defaultLanguage
}

/** The language on screen; the component renders again when it changes. */
export function useLanguage(): LanguageCode {
  const { i18n: instance } = useTranslation('platform', { i18n })
  return isLanguageCode(instance.language) ? instance.language : defaultLanguage
}

/** Sets the cookie (which the server reads too), `lang` and `dir`, then the texts. */
export function setLanguage(language: LanguageCode): void {
  const attributes = [
    `${languageCookie.name}=${language}`,
    `max-age=${languageCookie.maxAgeSeconds}`,
    'path=/',
    // Lax, not strict: links opened from other sites must show the chosen language.
    'samesite=lax',
    ...(window.location.protocol === 'https:' ? ['secure'] : []),
  ]
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older Safari
  document.cookie = attributes.join('; ')
  showInDocument(language)
  void i18n.changeLanguage(language)
}

/** Applies the language chosen on another tab: all tabs share the cookie. */
export function followLanguage(): void {
  const chosen = chosenLanguage()
  if (chosen !== undefined && chosen !== currentLanguage()) setLanguage(chosen)
}

/** `?lang=` has chosen the language of the document; left in the address it would win over a later choice. */
export function dropLanguageFromAddress(): void {
  const address = new URL(window.location.href)
  if (!address.searchParams.has(languageCookie.name)) return
  address.searchParams.delete(languageCookie.name)
  window.history.replaceState(window.history.state, '', address)
}
