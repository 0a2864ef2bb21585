import { Alert, Layout } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { Wordmark } from '#client/ui/wordmark.tsx'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { DeskIcon } from './desk-icon.tsx'
import { type Keys, useKeys } from './keys.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { Letter } from './letter.tsx'
import { Menu } from './menu.tsx'
import { useMinute } from './moment.tsx'
import { Notices } from './notices.tsx'
import { type Outcome, useOutcomeText } from './outcome.ts'
import { type DeskMenuRow, menuRowsOf, narrow, pagesOf, searchPath } from './pages.ts'
import { Said } from './said.tsx'
import { useSignOut } from './session.queries.ts'
import styles from './shell.module.css'
import { timeInRiyadh } from './times.ts'
import { beginTypingAhead } from './type-ahead.ts'
import { useDeskNews } from './work/work.queries.ts'

/** Opened by few, and antd's dialog is not small. */
const KeysHelp = lazy(async () => ({ default: (await import('./keys-help.tsx')).KeysHelp }))

interface ShellProps {
  readonly staff: StaffSession
  /** Of the sign-in that led here. */
  readonly outcome: Outcome | undefined
  readonly children: ReactNode
}

/** What surrounds every page: the bar, the menu, and what is to be known of the session and the connection. */
export function Shell({ staff, outcome, children }: ShellProps) {
  const { t } = useTranslation('desk')
  const { t: ofPlatform } = useTranslation('platform')
  const config = useConfig()
  const isNarrow = useMediaQuery(narrow)
  const connection = useConnection()
  const offlineSince = useOfflineSince(connection === 'offline')
  const pages = pagesOf(staff)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const rows = menuRowsOf(pages)
  useShellKeys(rows, () => setIsHelpOpen(true))
  useDeskNews()
  return (
    <Layout className={styles.desk}>
      <TopBar staff={staff} />
      <Layout hasSider className={styles.body}>
        <Layout.Sider
          className={styles.side}
          theme="light"
          width="13.25rem"
          collapsedWidth="3.5rem"
          collapsed={isNarrow}
          trigger={null}
        >
          <Menu pages={pages} isNarrow={isNarrow} />
          <button
            type="button"
            className={isNarrow ? `${styles.help} ${styles.narrow}` : styles.help}
            onClick={() => setIsHelpOpen(true)}
          >
            <DeskIcon name="keyboard" />
            <span className={isNarrow ? 'visually-hidden' : undefined}>{t('keys.title')}</span>
          </button>
        </Layout.Sider>
        <div className={styles.main}>
          <div className={styles.notes}>
            <div aria-live="polite">
              {offlineSince === undefined ? null : (
                <Alert type="warning" showIcon title={t('offline', { time: timeInRiyadh(offlineSince) })} />
              )}
              {connection === 'slow' ? <Alert type="info" showIcon title={t('slow')} /> : null}
            </div>
            {config?.paymentTest ? <Alert type="warning" showIcon title={ofPlatform('paymentTest')} /> : null}
            <OutcomeNote outcome={outcome} />
            <Said />
            <Notices />
          </div>
          <main className={styles.page}>{children}</main>
        </div>
      </Layout>
      {isHelpOpen ? (
        <Suspense>
          <KeysHelp rows={rows} onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      ) : null}
    </Layout>
  )
}

/** Search, the lists, what each row of the menu has, and all of them. */
function useShellKeys(rows: readonly DeskMenuRow[], showHelp: () => void): void {
  const navigate = useNavigate()
  const ofMenu = rows.flatMap(({ to, key }): readonly (readonly [string, () => void])[] =>
    key === undefined ? [] : [[`g ${key}`, () => void navigate(to)]],
  )
  const keys: Keys = {
    ...Object.fromEntries(ofMenu),
    'g w': () => void navigate('/'),
    '/': () => {
      beginTypingAhead()
      void navigate(searchPath)
    },
    '?': showHelp,
  }
  useKeys(keys)
}

/** Since when the browser has had no network, epoch milliseconds. */
function useOfflineSince(isOffline: boolean): number | undefined {
  const [since, setSince] = useState<number>()
  useEffect(() => setSince(isOffline ? Date.now() : undefined), [isOffline])
  return since
}

/** What a second sign-in came back with, while the first goes on. */
function OutcomeNote({ outcome }: Pick<ShellProps, 'outcome'>) {
  const text = useOutcomeText(outcome)
  return text === undefined ? null : <Alert type="warning" showIcon closable role="alert" title={text} />
}

function TopBar({ staff }: Pick<ShellProps, 'staff'>) {
  const { t } = useTranslation('desk')
  const isNarrow = useMediaQuery(narrow)
  const signOut = useSignOut()
  // Whatever the answer was: the next try says so again.
  const [hasFailed, setHasFailed] = useState(false)
  return (
    <>
      <header className={styles.bar}>
        <span className={styles.brand}>
          <Wordmark />
          {t('name')}
        </span>
        <Link to={searchPath} className={styles.find}>
          <DeskIcon name="search" />
          <span>{t(isNarrow ? 'findShort' : 'find')}</span>
          <kbd>/</kbd>
        </Link>
        <RiyadhTime />
        <LanguageSwitch />
        <Link to="/session" className={styles.person}>
          <Letter name={staff.name} />
          <span>
            <b>
              <bdi>{staff.name}</bdi>
            </b>{' '}
            <span>{staff.roles.map((role) => t(`roles.${role}`)).join(' · ')}</span>
          </span>
        </Link>
        <button
          type="button"
          className={styles.out}
          disabled={signOut.isPending}
          onClick={() => {
            setHasFailed(false)
            signOut.mutate(undefined, { onError: () => setHasFailed(true) })
          }}
        >
          {t('signOut')}
        </button>
      </header>
      {hasFailed ? <Alert banner type="error" role="alert" title={t('signOutFailed')} /> : null}
    </>
  )
}

function RiyadhTime() {
  const { t } = useTranslation('desk')
  return (
    <span className={styles.time}>
      <bdi>{timeInRiyadh(useMinute())}</bdi> {t('riyadh')}
    </span>
  )
}
