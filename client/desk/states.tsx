import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import { timeInRiyadh } from './times.ts'

/** Rows in outline, for what takes longer than a moment. */
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
  readonly query: Omit<Query<unknown>, 'data'>
  /** What could not be shown. */
  readonly text: string
}

/** Above what was read before, with its time, or alone. */
export function LoadFailed({ query, text }: LoadFailedProps) {
  const { t } = useTranslation('desk')
  const { error, isFetching, dataUpdatedAt, refetch } = query
  if (!error || isFetching) return null
  const since = dataUpdatedAt === 0 ? '' : ` ${t('failed.since', { time: timeInRiyadh(dataUpdatedAt) })}`
  // Another try does not help before the time that the server names.
  const why = isCallProblem(error) && error.status === 429 ? ` ${error.message}` : ''
  return <Retry text={`${text}${why}${since}`} onRetry={() => void refetch()} />
}

interface RetryProps {
  /** What did not come. */
  readonly text: string
  readonly onRetry: () => void
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
  readonly query: Query<T>
  /** What could not be shown; absent where the page says so itself. */
  readonly failed?: string
  readonly children: (data: T) => ReactNode
}

/** What was read. Until then rows in outline; above it that it could not be read again. */
export function Loaded<T>({ query, failed, children }: LoadedProps<T>) {
  const { data, error } = query
  return (
    <>
      {failed === undefined ? null : <LoadFailed query={query} text={failed} />}
      {data !== undefined ? children(data) : error ? null : <RowsWaiting />}
    </>
  )
}

interface UnknownProps {
  readonly title: string
  readonly to: string
  readonly link: string
}

/** At the address of nothing that exists: where to look for it. */
export function Unknown({ title, to, link }: UnknownProps) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        <Link to={to}>{link}</Link>
      </p>
    </>
  )
}
