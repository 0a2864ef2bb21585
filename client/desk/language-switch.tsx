import { setLanguage, useLanguage } from '#client/platform/i18n.ts'
import { languages } from '#shared/platform/language.ts'

/** A button for each other language, named in that language. */
export function LanguageSwitch() {
  const current = useLanguage()
  return Object.values(languages)
    .filter(({ code }) => code !== current)
    .map(({ code, direction, label }) => (
      <button key={code} type="button" lang={code} dir={direction} onClick={() => void setLanguage(code)}>
        {label}
      </button>
    ))
}
