import { Alert, Layout, Menu } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { useConnection } from '#client/platform/connection.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { useNow } from '#client/platform/time.ts'
import { Wordmark } from '#client/ui/wordmark.tsx'
import type { StaffSession } from '#shared/desk/desk.schemas.ts'
import { DeskIcon } from './desk-icon.tsx'
import { type Keys, useKeys } from './keys.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { type Outcome, useOutcomeText } from './outcome.ts'
import { type DeskPage, narrow, pagesOf, searchPath } from './pages.ts'
import { useSignOut } from './session.queries.ts'
import styles from './shell.module.css'
import { timeInRiyadh } from './times.ts'

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
  const isNarrow = useMediaQuery(narrow)
  const offlineSince = useOfflineSince()
  const pages = pagesOf(staff)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  useShellKeys(pages, () => setIsHelpOpen(true))
  return (
    <Layout className={styles.desk}>
      <TopBar staff={staff} />
      <Layout hasSider className={styles.body}>
        <Layout.Sider
          className={styles.side}
          theme="light"
          width={196}
          collapsedWidth={56}
          collapsed={isNarrow}
          trigger={null}
        >
          <nav aria-label={t('menu')}>
            <DeskMenu pages={pages} isNarrow={isNarrow} />
          </nav>
          <button type="button" className={styles.help} onClick={() => setIsHelpOpen(true)}>
            <DeskIcon name="keyboard" />
            <span className={isNarrow ? styles.unseen : undefined}>{t('keys.title')}</span>
          </button>
        </Layout.Sider>
        <div className={styles.main}>
          <div aria-live="polite">
            {offlineSince === undefined ? null : (
              <Alert type="warning" showIcon title={t('offline', { time: timeInRiyadh(offlineSince) })} />
            )}
          </div>
          <OutcomeNote outcome={outcome} />
          <main className={styles.page}>{children}</main>
        </div>
      </Layout>
      {isHelpOpen ? (
        <Suspense>
          <KeysHelp pages={pages} onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      ) : null}
    </Layout>
  )
}

/** Search, what each page of the menu has, and all of them. */
function useShellKeys(pages: readonly DeskPage[], showHelp: () => void): void {
  const navigate = useNavigate()
  const ofMenu = pages.flatMap(({ path, menu }): readonly (readonly [string, () => void])[] =>
    menu?.key === undefined ? [] : [[`g ${menu.key}`, () => void navigate(path)]],
  )
  const keys: Keys = {
    ...Object.fromEntries(ofMenu),
    '/': () => void navigate(searchPath),
    '?': showHelp,
  }
  useKeys(keys)
}

/** Since when the browser has had no network, epoch milliseconds. */
function useOfflineSince(): number | undefined {
  const isOffline = useConnection() === 'offline'
  const [since, setSince] = useState<number>()
  useEffect(() => setSince(isOffline ? Date.now() : undefined), [isOffline])
  return since
}

/** What a second sign-in came back with, while the first goes on. */
function OutcomeNote({ outcome }: Pick<ShellProps, 'outcome'>) {
  const text = useOutcomeText(outcome)
  return text === undefined ? null : <Alert type="warning" showIcon closable role="alert" title={text} />
}

interface DeskMenuProps {
  readonly pages: readonly DeskPage[]
  readonly isNarrow: boolean
}

function DeskMenu({ pages, isNarrow }: DeskMenuProps) {
  const { t } = useTranslation('desk')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const items = pages.flatMap(({ path, menu }) =>
    menu === undefined
      ? []
      : [
          {
            key: path,
            label: t(menu.text),
            icon: (
              <span className={isNarrow ? undefined : styles.icon}>
                <DeskIcon name={menu.icon} />
              </span>
            ),
          },
        ],
  )
  return (
    <Menu
      className={styles.menu}
      mode="inline"
      items={items}
      selectedKeys={[`/${pathname.split('/')[1] ?? ''}`]}
      onClick={({ key }) => navigate(key)}
    />
  )
}

function TopBar({ staff }: Pick<ShellProps, 'staff'>) {
  const { t } = useTranslation('desk')
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
          <span>{t('find')}</span>
          <kbd>/</kbd>
        </Link>
        <RiyadhTime />
        <LanguageSwitch />
        <span className={styles.person}>
          <b>
            <bdi>{staff.name}</bdi>
          </b>
          <span>{staff.roles.map((role) => t(`roles.${role}`)).join(' · ')}</span>
        </span>
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

const minuteMs = 60_000

function RiyadhTime() {
  const { t } = useTranslation('desk')
  return (
    <span className={styles.time}>
      <bdi>{timeInRiyadh(useNow(minuteMs))}</bdi> {t('riyadh')}
    </span>
  )
}
