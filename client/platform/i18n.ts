import { createInstance, type FlatNamespace, type ParseKeys } from 'i18next'
import { useSyncExternalStore } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import { type Catalogues, catalogues as ofApp } from '#client/platform/catalogues.ts'
import {
  defaultLanguage,
  isLanguageCode,
  type LanguageCode,
  languageCookie,
  languages,
} from '#shared/platform/language.ts'
import { isOnline } from './connection.ts'
import { hasServedPage, openDocument } from './document.ts'
import { isPseudoWanted, pseudoTexts } from './pseudo.ts'
import { type TextGroup, textGroupOf } from './text-groups.ts'

/** Not the global instance of i18next: the build renders documents with an instance of its own. */
export const i18n = createInstance()

function chosenLanguage(): LanguageCode | undefined {
  if (typeof document === 'undefined') return undefined
  const remembered = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${languageCookie.name}=`))
    ?.slice(languageCookie.name.length + 1)
  return isLanguageCode(remembered) ? remembered : undefined
}

/**
 * The language of the served page when there is one, else the cookie's. Never the browser's language:
 * Arabic is the default (spec §1).
 */
function languageAtStart(): LanguageCode {
  if (typeof document === 'undefined') return defaultLanguage
  const served = document.documentElement.lang
  const known = isLanguageCode(served) ? served : defaultLanguage
  return hasServedPage() ? known : (chosenLanguage() ?? known)
}

function showInDocument(language: LanguageCode): void {
  if (typeof document === 'undefined') return
  document.documentElement.lang = language
  document.documentElement.dir = languages[language].direction
}

// `import.meta.env.DEV` is a build constant: the pseudo-language is not in production builds.
const isPseudo = import.meta.env.DEV && isPseudoWanted(window.location.search)

const catalogues = Object.entries(ofApp).map(([path, read]) => ({ path, read, group: textGroupOf(path) }))

/** Adds the texts of an app that does not use the catalogues above. */
export function addCatalogues(group: TextGroup, added: Catalogues): void {
  catalogues.push(...Object.entries(added).map(([path, read]) => ({ path, read, group })))
}

const startLanguage = languageAtStart()

// Neither a backend nor Suspense: the app renders when its texts are loaded (main.tsx).
void i18n.use(initReactI18next).init({
  lng: startLanguage,
  fallbackLng: defaultLanguage,
  load: 'currentOnly',
  ns: ['platform'],
  defaultNS: 'platform',
  resources: {},
  initAsync: false,
  // React escapes.
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
  // Parts of keys come from servers and addresses, too: only texts that a catalogue has at this path are found.
  ignoreJSONStructure: false,
  returnedObjectHandler: (key) => key,
  missingInterpolationHandler: () => '',
})
showInDocument(startLanguage)

/** The groups that the pages have loaded so far: a change of the language loads them again. */
const needed = new Set<TextGroup>()

/** Loads a group of texts in the language on screen, the only one of a visit until another is chosen. */
export async function loadTexts(group: TextGroup): Promise<void> {
  needed.add(group)
  await addTexts(currentLanguage(), group)
}

export async function addTexts(language: LanguageCode, group: TextGroup): Promise<void> {
  // Under `?pseudo`, in development alone, generated texts take the place of the Arabic ones.
  const isGenerated = isPseudo && language === 'ar'
  const suffix = `.${isGenerated ? 'en' : language}.json`
  const load = async ({ path, read }: (typeof catalogues)[number]) => {
    const namespace = path.slice(path.lastIndexOf('/') + 1, -suffix.length)
    if (i18n.hasResourceBundle(language, namespace)) return
    const own = await read()
    const texts = isGenerated ? pseudoTexts(own) : own
    i18n.addResourceBundle(language, namespace, texts, false, true, { skipCopy: true })
  }
  const own = catalogues.filter(({ path, group: of }) => path.endsWith(suffix) && of === group)
  await Promise.all(own.map(load))
  added.add(`${language} ${group}`)
}

const added = new Set<string>()

const missingIn = (language: LanguageCode) =>
  [...needed].filter((group) => !added.has(`${language} ${group}`))

export const currentLanguage = (): LanguageCode => i18n.language as LanguageCode

function subscribeToLanguage(listener: () => void): () => void {
  i18n.on('languageChanged', listener)
  return () => i18n.off('languageChanged', listener)
}

/** The language on screen; the component renders again when it changes. */
export function useLanguage(): LanguageCode {
  return useSyncExternalStore(subscribeToLanguage, currentLanguage, currentLanguage)
}

/** The texts of a namespace in the language on screen; keys of a second namespace are written `namespace:key`. */
export { useTranslation }

/** The key of a text with its namespace. */
export type TextKey = { [N in FlatNamespace]: `${N}:${ParseKeys<N>}` }[FlatNamespace]

interface TextValues {
  readonly lng?: LanguageCode
  readonly [name: string]: unknown
}

/** A text outside of components, in the language on screen. */
export const textNow = i18n.t as unknown as (key: TextKey, values?: TextValues) => string

/** Without cookie and document, which `setLanguage` changes too: where documents are rendered. */
export function showLanguage(language: LanguageCode): void {
  void i18n.changeLanguage(language)
}

/** Sets the cookie (which the server reads too), `lang` and `dir`, then the texts; at once where they are loaded. */
export async function setLanguage(language: LanguageCode): Promise<void> {
  try {
    // Again, because a page may have come meanwhile.
    for (let missing = missingIn(language); missing.length > 0; missing = missingIn(language))
      await Promise.all(missing.map((group) => addTexts(language, group)))
  } catch {
    // A new release has replaced the file: its document comes in that language.
    if (isOnline()) openDocument(addressIn(language))
    return
  }
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
  showLanguage(language)
}

/** Applies the language chosen on another tab: all tabs share the cookie. */
export function followLanguage(): void {
  const chosen = chosenLanguage()
  if (chosen !== undefined && chosen !== currentLanguage()) void setLanguage(chosen)
}

function addressIn(language: LanguageCode): string {
  const address = new URL(window.location.href)
  address.searchParams.set(languageCookie.name, language)
  return address.href
}
