import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { restore, useSession } from '#client/session/session.ts'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Wordmark } from '#client/ui/wordmark.tsx'
import { AccountMenu } from './account-menu.tsx'
import connectionNoteStyles from './connection-note.module.css'
import { ConnectionNote } from './connection-note.tsx'
import { AppLink } from './documents.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import styles from './shell.module.css'

export function TopBar() {
  const { t } = useTranslation('shell')
  const { role, likelyRole, isUnknown } = useSession()
  const client = useQueryClient()
  const { pathname } = useLocation()
  const [hasLogoutFailed, setHasLogoutFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message belongs to the page and role it was shown for
  useEffect(() => setHasLogoutFailed(false), [pathname, role])
  return (
    <>
      <header className={barClass(pathname, likelyRole)} data-screen>
        <div className={`${layout.split} ${layout.gap3} ${styles.barInner}`}>
          <AppLink className={`${layout.line} ${styles.barBrand}`} to={paths.home}>
            <Wordmark />
          </AppLink>
          <div className={`${layout.line} ${layout.gap1} ${styles.barEnd}`}>
            {likelyRole !== null ? (
              <AccountMenu onLogout={setHasLogoutFailed} />
            ) : isUnknown ? (
              <button type="button" className={styles.barLink} onClick={() => restore(client)}>
                {t('unknown.retry')}
              </button>
            ) : (
              <AppLink className={styles.barLink} to={paths.auth}>
                {t('login')}
              </AppLink>
            )}
            <LanguageSwitch />
          </div>
        </div>
        {hasLogoutFailed && role !== null ? (
          <p className={`${layout.line} ${layout.gap3} ${connectionNoteStyles.connectionNote}`} role="alert">
            {t('logoutFailed')}
          </p>
        ) : null}
      </header>
      <ConnectionNote />
    </>
  )
}

/** The bar of these pages is dark, also before the session is known: an agent's list stays as it is without a network. */
const agentPages: readonly string[] = [paths.agentAuth, paths.agentOrders, paths.agentScan]

/** Dark on the start page, whose poster begins below it, and for agents, also where they sign in. */
function barClass(pathname: string, role: string | null): string {
  const isHome = pathname === paths.home
  const isAgents = role === 'agent' || agentPages.includes(pathname)
  return classes(styles.bar, (isHome || isAgents) && styles.barNight, isHome && styles.barHome)
}
