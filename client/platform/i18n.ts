import i18next, { type ResourceLanguage } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import {
  defaultLanguage,
  isLanguageCode,
  type LanguageCode,
  languageCookie,
  languages,
} from '#shared/platform/language.ts'
import platformAr from './platform.ar.json'
import platformEn from './platform.en.json'
import { isPseudoWanted, pseudoTexts } from './pseudo.ts'

export const i18n = i18next.createInstance()

/** A cookie alone decides, never the browser's own language: Arabic is the default (spec §1). */
function rememberedLanguage(): LanguageCode {
  const remembered = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${languageCookie.name}=`))
    ?.slice(languageCookie.name.length + 1)
  return isLanguageCode(remembered) ? remembered : defaultLanguage
}

function showInDocument(language: LanguageCode): void {
  document.documentElement.lang = language
  document.documentElement.dir = languages[language].direction
}

// A constant of the build: what is not for development does not ship.
const isPseudo = import.meta.env.DEV && isPseudoWanted(window.location.search)

/** The texts a language shows: the catalogue's own, or in its place, while developing, something to find faults with. */
function shownTexts(texts: Readonly<Record<LanguageCode, ResourceLanguage>>) {
  return isPseudo ? { ...texts, ar: pseudoTexts(texts.en) } : texts
}

const startLanguage = rememberedLanguage()
const platformTexts = shownTexts({ ar: platformAr, en: platformEn })

// `initAsync: false` and bundled texts: the first render already has its words, without Suspense.
void i18n.use(initReactI18next).init({
  lng: startLanguage,
  fallbackLng: defaultLanguage,
  supportedLngs: Object.keys(languages),
  ns: ['platform'],
  defaultNS: 'platform',
  resources: { ar: { platform: platformTexts.ar }, en: { platform: platformTexts.en } },
  initAsync: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
  returnNull: false,
})
showInDocument(startLanguage)

/**
 * Gives a room its texts; a room's `<room>.texts.ts` calls it once, when its chunk loads.
 * Both languages travel with the room, so switching needs no network.
 */
export function registerTexts(
  namespace: string,
  texts: Readonly<Record<LanguageCode, ResourceLanguage>>,
): void {
  for (const [language, bundle] of Object.entries(shownTexts(texts))) {
    i18n.addResourceBundle(language, namespace, bundle, true, true)
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

/** Changes texts, `lang`, `dir` and the cookie the server reads, in this order of events, at once. */
export function setLanguage(language: LanguageCode): void {
  const attributes = [
    `${languageCookie.name}=${language}`,
    `max-age=${languageCookie.maxAgeSeconds}`,
    'path=/',
    // Lax, not strict: a link opened from a chat must still show the chosen language.
    'samesite=lax',
    ...(window.location.protocol === 'https:' ? ['secure'] : []),
  ]
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older Safari
  document.cookie = attributes.join('; ')
  showInDocument(language)
  void i18n.changeLanguage(language)
}
