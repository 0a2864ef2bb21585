import { setLanguage, useLanguage } from '#client/platform/i18n.ts'
import { languageCookie, languages } from '#shared/platform/language.ts'
import styles from './shell.module.css'

/** A button for each other language, named in that language. In a document the server answers it. */
export function LanguageSwitch() {
  const current = useLanguage()
  return Object.values(languages)
    .filter(({ code }) => code !== current)
    .map(({ code, direction, label }) => (
      <form
        key={code}
        className={styles.language}
        data-language
        onSubmit={(event) => {
          event.preventDefault()
          void setLanguage(code)
        }}
      >
        <button
          type="submit"
          name={languageCookie.name}
          value={code}
          className={styles.barLink}
          lang={code}
          dir={direction}
        >
          {label}
        </button>
      </form>
    ))
}
