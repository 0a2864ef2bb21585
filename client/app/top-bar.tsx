import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { isUnknown } from '#client/features/sessions/sessions.rules.ts'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { setLanguage, useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Loading } from '#client/ui/loading.tsx'
import { brand } from '#shared/platform/brand.ts'
import { languages } from '#shared/platform/language.ts'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { AppLink } from './documents.tsx'
import { Logo } from './logo.tsx'
import '#client/ui/buttons.css'
import './shell.css'
import './shell.texts.ts'

export function TopBar() {
  const language = useLanguage()
  const { t } = useTranslation('shell')
  const { state, isRestoring, restore } = useSessions()
  const { pathname } = useLocation()
  const [hasLogoutFailed, setHasLogoutFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message belongs to the page and role it was shown for
  useEffect(() => setHasLogoutFailed(false), [pathname, state.role])
  return (
    <header className="bar">
      <div className="bar-inner">
        <AppLink className="bar-brand" to={paths.home}>
          <Logo />
          <span>{brand.name[language]}</span>
        </AppLink>
        <div className="bar-end">
          {isRestoring ? (
            <Loading size="inline" />
          ) : state.role !== null ? (
            <AccountMenu onLogout={setHasLogoutFailed} />
          ) : isUnknown(state) ? (
            <button type="button" className="button bar-login" onClick={restore}>
              {t('unknown.retry')}
            </button>
          ) : (
            <LoginLink />
          )}
          <LanguageSwitch />
        </div>
      </div>
      <ConnectionNote />
      {hasLogoutFailed && state.role !== null ? (
        <p className="connection-note connection-offline" role="alert">
          {t('logoutFailed')}
        </p>
      ) : null}
    </header>
  )
}

function LoginLink() {
  const { t } = useTranslation('shell')
  return (
    <AppLink className="button button-primary bar-login" to={paths.auth}>
      {t('login')}
    </AppLink>
  )
}

/** A button for each other language, named in that language. */
function LanguageSwitch() {
  const current = useLanguage()
  return Object.values(languages)
    .filter(({ code }) => code !== current)
    .map(({ code, direction, label }) => (
      <button
        key={code}
        type="button"
        className="button button-quiet language-toggle"
        lang={code}
        dir={direction}
        onClick={() => setLanguage(code)}
      >
        {label}
      </button>
    ))
}
