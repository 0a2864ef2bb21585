import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useLayoutEffect, useState } from 'react'
import { PushRow } from '#client/entities/push/push-row.tsx'
import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { holdSession, signedOut } from '#client/session/session.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Fact } from '#client/ui/fact.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { focusPlace } from '#client/ui/focus.ts'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Page } from '#client/ui/page.tsx'
import { Problem } from '#client/ui/problem.tsx'
import rowStyles from '#client/ui/row.module.css'
import { SwitchRow } from '#client/ui/switch-row.tsx'
import textStyles from '#client/ui/text.module.css'
import { exportUser } from '#shared/account/account.operations.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import type { SessionView } from '#shared/sessions/sessions.schemas.ts'
import styles from './account.module.css'
import {
  endAllSessions,
  endOwnSession,
  messagesQuery,
  sessionsQuery,
  switchMessages,
} from './account.queries.ts'
import { DeleteAccount } from './delete-account.tsx'

export interface AccountPageProps {
  /** Agents see their sessions only; the shipping partner manages their data. */
  readonly isAgent: boolean
  /** Name and phone, with the form to change the name. */
  readonly details: ReactNode
  /** The e-mail address of a user. `isOver`: the account is deleted. */
  readonly email: (isOver: boolean) => ReactNode
  /** Runs a request after its user has confirmed it with a code. */
  readonly confirming: (purpose: ConfirmationPurpose, run: () => Promise<unknown>) => Promise<void>
  /** Called when the user leaves the page of a session that the server has ended. */
  readonly onEnded: () => void
}

export function AccountPage({ isAgent, details, email, confirming, onEnded }: AccountPageProps) {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const [isDeleted, setIsDeleted] = useState(false)
  useLayoutEffect(() => {
    if (!isDeleted) return
    // A session check would leave this page while its dialog says that the account is deleted.
    holdSession(queries)
    return () => signedOut(queries)
  }, [isDeleted, queries])
  return (
    <Page title={t('title')} width="table">
      <div className={classes(layout.grid, layout.gap5, styles.page)}>
        <section aria-label={t('details.title')}>
          {details}
          {isAgent ? null : email(isDeleted)}
          {isAgent ? null : <MessagesRow isOver={isDeleted} />}
          {isAgent ? null : <PushRow isOver={isDeleted} />}
        </section>
        <Sessions isOver={isDeleted} onEnded={onEnded} confirming={isAgent ? runAtOnce : confirming} />
        {isAgent ? null : (
          <details className={styles.data}>
            <summary className={textStyles.unfold}>{t('data')}</summary>
            <Button look="quiet" onClick={() => void confirming('export', async () => download())}>
              {t('export.download')}
            </Button>
            <p className={textStyles.hint}>{t('export.text')}</p>
            <DeleteAccount confirming={confirming} onDeleted={() => setIsDeleted(true)} onLeave={onEnded} />
            <p className={textStyles.hint}>{t('remove.text')}</p>
          </details>
        )}
      </div>
    </Page>
  )
}

/** Agents confirm nothing with a code, because their number belongs to the shipping partner. */
const runAtOnce: AccountPageProps['confirming'] = async (_purpose, run) =>
  void (await run().catch(() => undefined))

/** The browser saves the file, and the page stays. */
function download(): void {
  const link = document.createElement('a')
  link.href = operationHref(exportUser)
  link.download = ''
  link.click()
}

/** The setting for SMS about bags, with its switch. The row is absent when the server sends no SMS. */
function MessagesRow({ isOver }: { readonly isOver: boolean }) {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const { data: isOn = null } = useQuery({ ...messagesQuery, enabled: !isOver })
  const change = useSingleMutation({
    mutationFn: switchMessages,
    onSettled: () => queries.invalidateQueries({ queryKey: messagesQuery.queryKey }),
  })
  if (isOn === null) return null
  return (
    <SwitchRow
      title={t('messages.title')}
      state={isOn ? t('messages.on') : t('messages.off')}
      text={t('messages.text')}
      error={change.error}
      isBusy={change.isPending}
      action={isOn ? t('messages.switchOff') : t('messages.switchOn')}
      onSwitch={() => change.mutate(!isOn)}
    />
  )
}

interface SessionsProps extends Pick<AccountPageProps, 'confirming'> {
  /** The account is deleted, so its sessions are not requested. */
  readonly isOver: boolean
  readonly onEnded: () => void
}

function Sessions({ isOver, onEnded, confirming }: SessionsProps) {
  const { t } = useTranslation('account')
  const everywhereTextId = useId()
  const [news, setNews] = useState('')
  const everywhere = useSingleMutation({ mutationFn: endAllSessions, onSuccess: onEnded })
  const isLeaving = everywhere.isPending || everywhere.isSuccess
  // While leaving, the cache is cleared with this page still mounted: a refetch would be answered 401.
  const list = useQuery({ ...sessionsQuery, enabled: !isOver && !isLeaving })
  const others = (list.data ?? []).filter(({ isCurrent }) => !isCurrent)

  return (
    <section ref={focusPlace}>
      <h2 tabIndex={-1} data-start className={styles.title} data-unringed>
        {t('sessions.title')}
      </h2>
      {list.data ? (
        <OtherSessions
          sessions={others}
          confirming={confirming}
          onEnding={() => setNews('')}
          onEnded={() => setNews(t('sessions.ended'))}
        />
      ) : list.isPending ? (
        <Loading label={t('sessions.loading')} />
      ) : (
        <FailureState title={t('sessions.failed')} problem={list.error} onRetry={() => void list.refetch()} />
      )}
      <Announced>{news}</Announced>
      <Problem error={everywhere.error} />
      {others.length > 0 || list.isError || isLeaving ? (
        <>
          <Button
            isWide
            className={styles.everywhere}
            aria-describedby={everywhereTextId}
            isBusy={isLeaving}
            onClick={() => everywhere.mutate()}
          >
            {isLeaving ? t('sessions.leaving') : t('sessions.everywhere')}
          </Button>
          <p id={everywhereTextId} className={textStyles.hint}>
            {t('sessions.everywhereText')}
          </p>
        </>
      ) : null}
    </section>
  )
}

interface OtherSessionsProps extends Pick<AccountPageProps, 'confirming'> {
  readonly sessions: readonly SessionView[]
  readonly onEnding: () => void
  readonly onEnded: () => void
}

/** The devices other than this one. */
function OtherSessions({ sessions, ...rest }: OtherSessionsProps) {
  const { t } = useTranslation('account')
  if (sessions.length === 0) return <p className={textStyles.hint}>{t('sessions.empty')}</p>
  return (
    <>
      <p className={textStyles.hint}>{t('sessions.text')}</p>
      <ul>
        {sessions.map((session) => (
          <li key={session.id} className={classes(layout.split, layout.gap4, rowStyles.row)}>
            <Session session={session} {...rest} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Session({
  session,
  confirming,
  onEnding,
  onEnded,
}: { session: SessionView } & Omit<OtherSessionsProps, 'sessions'>) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const queries = useQueryClient()
  const end = useSingleMutation({
    mutationFn: () => endOwnSession(session.id),
    onMutate: onEnding,
    onSuccess: onEnded,
    // The list is also read after a failure: most likely the session has ended already.
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const device = session.device ?? t('sessions.unknownDevice')
  return (
    <>
      <div className={styles.sessionFacts}>
        <h3>{session.device ? <Ltr>{device}</Ltr> : device}</h3>
        <dl className={`${textStyles.hint} ${textStyles.pairs}`}>
          <Fact name={t('sessions.lastSeenAt')}>{formatMoment(session.lastSeenAt, language)}</Fact>
        </dl>
        <Problem error={end.error} />
      </div>
      <Button
        look="quiet"
        className={styles.end}
        aria-label={
          end.isPending
            ? t('sessions.ending')
            : t('sessions.endNamed', { device, time: formatMoment(session.createdAt, language) })
        }
        isBusy={end.isPending}
        onClick={() => void confirming('session', () => end.mutateAsync())}
      >
        {end.isPending ? t('sessions.ending') : t('sessions.end')}
      </Button>
    </>
  )
}
