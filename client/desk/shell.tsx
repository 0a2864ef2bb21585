import { Alert, Layout, Menu } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { useConnection } from '#client/platform/connection.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { useNow } from '#client/platform/time.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Wordmark } from '#client/ui/wordmark.tsx'
import type { StaffSession } from '#shared/desk/desk.schemas.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { type Outcome, useOutcomeText } from './outcome.ts'
import { pagesOf } from './pages.ts'
import { useSignOut } from './session.queries.ts'
import styles from './shell.module.css'
import { timeInRiyadh } from './times.ts'

interface ShellProps {
  readonly staff: StaffSession
  /** Of the sign-in that led here. */
  readonly outcome: Outcome | undefined
  readonly children: ReactNode
}

/** What surrounds every page: the bar, the menu, and what is to be known of the session and the connection. */
export function Shell({ staff, outcome, children }: ShellProps) {
  const { t } = useTranslation('desk')
  const isNarrow = useMediaQuery('(max-width: 1099px)')
  const isOffline = useConnection() === 'offline'
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
            <DeskMenu staff={staff} isNarrow={isNarrow} />
          </nav>
        </Layout.Sider>
        <div className={styles.main}>
          <div aria-live="polite">
            {isOffline ? <Alert type="warning" showIcon title={t('offline')} /> : null}
          </div>
          <OutcomeNote outcome={outcome} />
          <main className={styles.page}>{children}</main>
        </div>
      </Layout>
    </Layout>
  )
}

/** What a second sign-in came back with, while the first goes on. */
function OutcomeNote({ outcome }: Pick<ShellProps, 'outcome'>) {
  const text = useOutcomeText(outcome)
  return text === undefined ? null : <Alert type="warning" showIcon closable role="alert" title={text} />
}

function DeskMenu({ staff, isNarrow }: Pick<ShellProps, 'staff'> & { readonly isNarrow: boolean }) {
  const { t } = useTranslation('desk')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const items = pagesOf(staff).flatMap(({ path, menu }) =>
    menu === undefined
      ? []
      : [
          {
            key: path,
            label: t(menu.text),
            icon: (
              <span className={isNarrow ? undefined : styles.icon}>
                <Icon name={menu.icon} />
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
      selectedKeys={[pathname]}
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
