import { languageCookie } from '#shared/platform/language.ts'

/** `?lang=` has chosen the language of the document; left in the address it would win over a later choice. */
export function dropLanguageFromAddress(): void {
  const address = new URL(window.location.href)
  if (!address.searchParams.has(languageCookie.name)) return
  address.searchParams.delete(languageCookie.name)
  window.history.replaceState(window.history.state, '', address)
}
