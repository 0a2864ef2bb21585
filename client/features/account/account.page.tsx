import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Page } from '#client/ui/page.tsx'
import { exportUser } from '#shared/account/account.operations.ts'
import type { SessionView } from '#shared/sessions/sessions.schemas.ts'
import { endAllSessions, endOwnSession, sessionsQuery } from './account.queries.ts'
import { DeleteAccount } from './delete-account.tsx'
import { Problem } from './problem.tsx'
import './account.css'
import './account.texts.ts'
import '#client/ui/buttons.css'

export interface AccountPageProps {
  /** Agents see their sessions only; the shipping partner manages their data. */
  readonly isAgent: boolean
  /** Name and phone, with the form to change the name. */
  readonly details: ReactNode
  /** Called when the server has ended the session. */
  readonly onEnded: () => void
}

export function AccountPage({ isAgent, details, onEnded }: AccountPageProps) {
  const { t } = useTranslation('account')
  const [isDeleted, setIsDeleted] = useState(false)
  return (
    <Page title={t('title')}>
      <div className="account-page">
        <Section title={t('details.title')}>{details}</Section>
        <Sessions isOver={isDeleted} onEnded={onEnded} />
        {isAgent ? null : (
          <>
            <Section title={t('export.title')}>
              <p>{t('export.text')}</p>
              <a className="button" href={operationHref(exportUser)} download>
                {t('export.download')}
              </a>
            </Section>
            <Section title={t('remove.title')}>
              <p>{t('remove.text')}</p>
              <DeleteAccount onDeleted={() => setIsDeleted(true)} onLeave={onEnded} />
            </Section>
          </>
        )}
      </div>
    </Page>
  )
}

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="account-card">
      <h2 className="account-card-title">{title}</h2>
      {children}
    </section>
  )
}

interface SessionsProps {
  /** The account is deleted: sessions are not requested any more. */
  readonly isOver: boolean
  readonly onEnded: () => void
}

function Sessions({ isOver, onEnded }: SessionsProps) {
  const { t } = useTranslation('account')
  const heading = useRef<HTMLHeadingElement>(null)
  const [news, setNews] = useState('')
  const everywhere = useMutation({ mutationFn: endAllSessions, onSuccess: onEnded })
  const isLeaving = everywhere.isPending || everywhere.isSuccess
  // While leaving, the cache is cleared with this page still mounted: a refetch would be answered 401.
  const list = useQuery({ ...sessionsQuery, enabled: !isOver && !isLeaving })

  return (
    <section className="account-card">
      <h2 ref={heading} tabIndex={-1} className="account-card-title">
        {t('sessions.title')}
      </h2>
      <p>{t('sessions.text')}</p>
      {list.data ? (
        <SessionList
          sessions={list.data}
          onEnding={() => setNews('')}
          onEnded={() => {
            setNews(t('sessions.ended'))
            // The focused button was removed together with its session.
            heading.current?.focus()
          }}
        />
      ) : list.isPending ? (
        <Loading label={t('sessions.loading')} />
      ) : (
        <FailureState title={t('sessions.failed')} problem={list.error} onRetry={() => void list.refetch()} />
      )}
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <p>{t('sessions.everywhereText')}</p>
      {everywhere.isError ? <Problem error={everywhere.error} /> : null}
      <button
        type="button"
        className="button"
        aria-disabled={isLeaving}
        onClick={() => {
          if (!isLeaving) everywhere.mutate()
        }}
      >
        {isLeaving ? t('sessions.leaving') : t('sessions.everywhere')}
      </button>
    </section>
  )
}

interface SessionListProps {
  readonly sessions: readonly SessionView[]
  readonly onEnding: () => void
  readonly onEnded: () => void
}

function SessionList({ sessions, onEnding, onEnded }: SessionListProps) {
  const { t } = useTranslation('account')
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="account-sessions">
        {sessions.map((session) => (
          <li key={session.id} className="account-session">
            <Session session={session} onEnding={onEnding} onEnded={onEnded} />
          </li>
        ))}
      </ul>
      {others.length === 0 ? <p className="account-quiet">{t('sessions.empty')}</p> : null}
    </>
  )
}

function Session({
  session,
  onEnding,
  onEnded,
}: { session: SessionView } & Omit<SessionListProps, 'sessions'>) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => endOwnSession(session.id),
    onMutate: onEnding,
    onSuccess: onEnded,
    // Also after a failure: most likely the session does not exist any more.
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const device = session.device ?? t('sessions.unknownDevice')
  const createdAt = formatDateTime(session.createdAt, language)
  return (
    <>
      <div className="account-session-head">
        <h3 className="account-session-device">{session.device ? <Ltr>{device}</Ltr> : device}</h3>
        {session.isCurrent ? <span className="account-current">{t('sessions.current')}</span> : null}
      </div>
      <dl className="account-session-times">
        <div>
          <dt>{t('sessions.createdAt')}</dt>
          <dd>{createdAt}</dd>
        </div>
        <div>
          <dt>{t('sessions.lastSeenAt')}</dt>
          <dd>{formatDateTime(session.lastSeenAt, language)}</dd>
        </div>
      </dl>
      {end.isError ? <Problem error={end.error} /> : null}
      {session.isCurrent ? null : (
        <button
          type="button"
          className="button"
          aria-label={
            end.isPending ? t('sessions.ending') : t('sessions.endNamed', { device, time: createdAt })
          }
          aria-disabled={end.isPending}
          onClick={() => {
            if (!end.isPending) end.mutate()
          }}
        >
          {end.isPending ? t('sessions.ending') : t('sessions.end')}
        </button>
      )}
    </>
  )
}
