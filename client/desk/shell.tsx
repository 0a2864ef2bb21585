import { Alert, Button, Flex, Layout } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useConnection } from '#client/platform/connection.ts'
import { formatTime } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Wordmark } from '#client/ui/wordmark.tsx'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import barStyles from './bar.module.css'
import { DeskIcon } from './desk-icon.tsx'
import { useKeys } from './keys.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { Letter } from './letter.tsx'
import { Menu } from './menu.tsx'
import { useMinute } from './moment.tsx'
import { Notices } from './notices.tsx'
import { type Outcome, useOutcomeText } from './outcome.ts'
import { menuRowsOf, narrow, searchPath } from './pages.ts'
import { useSignOut } from './session.queries.ts'
import styles from './shell.module.css'
import { beginTypingAhead } from './type-ahead.ts'
import { useDeskNews } from './work/work.queries.ts'

/** Loaded when it is opened: few operators open it, and antd's dialog is large. */
const KeysHelp = lazy(async () => ({ default: (await import('./keys-help.tsx')).KeysHelp }))

/** The frame of every page: the bar, the menu, and messages about the session and the connection. */
export function Shell({
  staff,
  outcome,
  children,
}: {
  staff: StaffSession
  /** The outcome of the sign-in that led to this page. */
  outcome: Outcome | undefined
  children: ReactNode
}) {
  const { t } = useTranslation('desk')
  const { t: ofPlatform } = useTranslation('platform')
  const language = useLanguage()
  const navigate = useNavigate()
  const config = useConfig()
  const isNarrow = useMediaQuery(narrow)
  const connection = useConnection()
  const offlineSince = useOfflineSince(connection === 'offline')
  const outcomeText = useOutcomeText(outcome)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const rows = (['lists', 'records'] as const).flatMap((group) => menuRowsOf(staff, group))
  const opening = rows.filter(({ key }) => key !== undefined)
  useKeys({
    ...Object.fromEntries(opening.map(({ key, to }) => [`g ${key}`, () => void navigate(to)])),
    'g w': () => void navigate('/'),
    '/': () => {
      beginTypingAhead()
      void navigate(searchPath)
    },
    '?': () => setIsHelpOpen(true),
  })
  useDeskNews()
  return (
    <Layout className={styles.desk}>
      <TopBar staff={staff} isNarrow={isNarrow} />
      <Layout hasSider className={styles.body}>
        <Layout.Sider className={styles.side} theme="light" width={isNarrow ? '5.5rem' : '14rem'}>
          <Menu staff={staff} isNarrow={isNarrow} />
          <Button block type="text" icon={<DeskIcon name="keyboard" />} onClick={() => setIsHelpOpen(true)}>
            <span className={isNarrow ? 'visually-hidden' : undefined}>{t('keys.title')}</span>
          </Button>
        </Layout.Sider>
        <div className={styles.main}>
          <div className={styles.notes}>
            <div aria-live="polite">
              {offlineSince === undefined ? null : (
                <Alert
                  type="warning"
                  showIcon
                  title={t('offline', { time: formatTime(offlineSince, language) })}
                />
              )}
              {connection === 'slow' ? <Alert type="info" showIcon title={t('slow')} /> : null}
            </div>
            {config?.paymentTest ? <Alert type="warning" showIcon title={ofPlatform('paymentTest')} /> : null}
            {outcomeText === undefined ? null : (
              <Alert type="warning" showIcon closable role="alert" title={outcomeText} />
            )}
            <Notices />
          </div>
          <Flex component="main" vertical gap="middle">
            {children}
          </Flex>
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

/** Epoch milliseconds since when the browser has had no network. */
function useOfflineSince(isOffline: boolean): number | undefined {
  const [since, setSince] = useState<number>()
  useEffect(() => setSince(isOffline ? Date.now() : undefined), [isOffline])
  return since
}

function TopBar({ staff, isNarrow }: { staff: StaffSession; isNarrow: boolean }) {
  const { t } = useTranslation('desk')
  const language = useLanguage()
  const now = useMinute()
  const signOut = useSignOut()
  const [hasFailed, setHasFailed] = useState(false)
  return (
    <>
      <Flex component="header" wrap align="center" gap="8px 16px" className={barStyles.bar}>
        <Wordmark />
        <b>{t('name')}</b>
        <Link to={searchPath} className={classes(layout.line, layout.gap2, styles.find)}>
          <DeskIcon name="search" />
          <span>{t(isNarrow ? 'findShort' : 'find')}</span>
          <kbd>/</kbd>
        </Link>
        <span className={styles.time}>
          <bdi>{formatTime(now, language)}</bdi> {t('riyadh')}
        </span>
        <LanguageSwitch />
        <Link to="/session" className={styles.person}>
          <Letter name={staff.name}>
            <b>
              <bdi>{staff.name}</bdi>
            </b>{' '}
            <span>{staff.roles.map((role) => t(`roles.${role}`)).join(' · ')}</span>
          </Letter>
        </Link>
        <button
          type="button"
          disabled={signOut.isPending}
          onClick={() => {
            setHasFailed(false)
            signOut.mutate(undefined, { onError: () => setHasFailed(true) })
          }}
        >
          {t('signOut')}
        </button>
      </Flex>
      {hasFailed ? <Alert banner type="error" role="alert" title={t('signOutFailed')} /> : null}
    </>
  )
}
