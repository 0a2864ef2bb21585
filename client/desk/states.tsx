import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { formatTime } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import { useTitle } from './use-title.ts'

/** Placeholder rows, shown when loading takes longer than a moment. */
export function RowsWaiting() {
  const { t } = useTranslation('desk')
  return useAfter(200) ? (
    <div role="status" aria-label={t('loading')}>
      <Skeleton active title paragraph={{ rows: 6 }} />
    </div>
  ) : null
}

type Query<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'dataUpdatedAt' | 'refetch'>

interface LoadFailedProps {
  query: Omit<Query<unknown>, 'data'>
  /** Text that says which data could not be loaded. */
  text: string
}

/** An alert about a failed reading. Above older data it also shows their time. */
export function LoadFailed({ query, text }: LoadFailedProps) {
  const { t } = useTranslation('desk')
  const language = useLanguage()
  const { error, isFetching, dataUpdatedAt, refetch } = query
  if (!error || isFetching) return null
  const time = formatTime(dataUpdatedAt, language)
  const since = dataUpdatedAt === 0 ? '' : ` ${t('failed.since', { time })}`
  // The server names the time before which another attempt is refused.
  const why = isCallProblem(error) && error.status === 429 ? ` ${error.message}` : ''
  return <Retry text={`${text}${why}${since}`} onRetry={() => void refetch()} />
}

interface RetryProps {
  /** Text that names the part that did not load. */
  text: string
  onRetry: () => void
}

export function Retry({ text, onRetry }: RetryProps) {
  const { t } = useTranslation('desk')
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={text}
      action={
        <Button size="small" onClick={onRetry}>
          {t('failed.retry')}
        </Button>
      }
    />
  )
}

interface LoadedProps<T> {
  query: Query<T>
  /** Text that says which data could not be loaded; absent when the page says it itself. */
  failed?: string
  /** Shown in place of the data when the server knows no such record. */
  unknown?: ReactNode
  children: (data: T) => ReactNode
}

/** Renders the data of a query: placeholder rows until they arrive, an alert above them when a later reading failed. */
export function Loaded<T>({ query, failed, unknown, children }: LoadedProps<T>) {
  const { data, error } = query
  if (unknown && data === undefined && isCallProblem(error) && [400, 404].includes(error.status))
    return unknown
  return (
    <>
      {failed === undefined ? null : <LoadFailed query={query} text={failed} />}
      {data !== undefined ? children(data) : error ? null : <RowsWaiting />}
    </>
  )
}

interface UnknownProps {
  title: string
  text?: string
  to: string
  link: string
}

/** Shown in place of a page that cannot be shown: a link to the list that may contain the record, or to the desk. */
export function Unknown({ title, text, to, link }: UnknownProps) {
  useTitle(title)
  return (
    <>
      <h1>{title}</h1>
      {text === undefined ? null : <p>{text}</p>}
      <p>
        <Link to={to}>{link}</Link>
      </p>
    </>
  )
}

/** Shown at an address that no page has. */
export function NotFound() {
  const { t } = useTranslation('desk')
  return <Unknown title={t('notFound.title')} to="/" link={t('notFound.home')} />
}
