import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { endSession, useAgentId, useSession } from '#client/session/session.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { AppLink } from './documents.tsx'
import { useLeave } from './leave.ts'
import styles from './shell.module.css'

const link = `${layout.line} ${layout.gap3} ${styles.accountLink}`

/** The links of a signed-in person, also before the name is loaded; on phones behind a button. */
export function AccountMenu({ onLogout }: LogoutProps) {
  const { t } = useTranslation('shell')
  const { user, agent, likelyRole } = useSession()
  const { pathname } = useLocation()
  /** The page on which the menu was opened: another page closes it. */
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === pathname
  const listId = useId()
  const menu = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !menu.current?.contains(target)) setOpenAt(undefined)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  /** Closes the list. Its focused link is hidden with it, so the toggle gets the focus. */
  function close(): void {
    if (!isOpen) return
    toggle.current?.focus()
    setOpenAt(undefined)
  }

  return (
    <nav
      ref={menu}
      className={styles.account}
      aria-label={t('account')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <button
        ref={toggle}
        type="button"
        className={`${styles.barLink} ${styles.accountToggle}`}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpenAt(isOpen ? undefined : pathname)}
      >
        <Icon name="person" />
        <span className="visually-hidden">{t('menu')}</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its links are pressed, by key too */}
      <ul
        id={listId}
        className={styles.accountList}
        // A link to the open page also closes the menu.
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('a')) close()
        }}
      >
        <li className={styles.accountName}>
          <OwnAccountLink person={user ?? agent} />
        </li>
        {likelyRole === 'user' ? (
          <>
            <li>
              <AccountLink to={paths.booking}>{t('bookNow')}</AccountLink>
            </li>
            <li>
              <AccountLink to={paths.orders}>{t('myOrders')}</AccountLink>
            </li>
          </>
        ) : null}
        <li>
          <LogoutButton onLogout={onLogout} />
        </li>
      </ul>
    </nav>
  )
}

function AccountLink({ to, ...rest }: ComponentProps<typeof AppLink>) {
  const { pathname } = useLocation()
  return <AppLink className={link} to={to} aria-current={pathname === to ? 'page' : undefined} {...rest} />
}

/** The person's name, as a link to the account page. */
function OwnAccountLink({ person }: { readonly person: User | Agent | null }) {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const ownName = person?.name ?? null
  const name = ownName === null ? (person?.phone ?? null) : inLanguage(ownName, language)
  return (
    <AccountLink to={paths.account} aria-label={name === null ? undefined : t('ownAccount', { name })}>
      <Icon name="person" />
      {name === null ? (
        <span>{t('account')}</span>
      ) : ownName === null ? (
        <PhoneText>{name}</PhoneText>
      ) : (
        <bdi>{name}</bdi>
      )}
    </AccountLink>
  )
}

interface LogoutProps {
  /** Called with `false` when the logout starts and with `true` when it fails. */
  readonly onLogout: (hasFailed: boolean) => void
}

function LogoutButton({ onLogout }: LogoutProps) {
  const { t } = useTranslation('shell')
  const goHome = useLeave()
  const agentId = useAgentId()
  const [isLeaving, setIsLeaving] = useState(false)
  const [warning, setWarning] = useState<ReactNode>(null)

  /** Asks an agent first when confirmations wait to be sent. */
  async function onClick(): Promise<void> {
    if (agentId === undefined) return leave()
    const actions = { onStay: () => setWarning(null), onLeave: () => void leave() }
    // A chunk that cannot be loaded: without a network the server does not end the session either.
    const asked = await import('./agent-preparations.tsx').then(
      ({ unsentWarning }) => unsentWarning(agentId, actions),
      () => null,
    )
    if (asked === null) return leave()
    setWarning(asked)
  }

  async function leave(): Promise<void> {
    setWarning(null)
    if (isLeaving) return
    setIsLeaving(true)
    onLogout(false)
    if (await endSession()) return goHome()
    setIsLeaving(false)
    onLogout(true)
  }

  return (
    <>
      <button type="button" className={link} aria-disabled={isLeaving} onClick={() => void onClick()}>
        {isLeaving ? t('loggingOut') : t('logout')}
      </button>
      {warning}
    </>
  )
}
