import { Alert, Button, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
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

interface LoadFailedProps {
  /** What could not be shown. */
  readonly text: string
  /** When what is still shown was read, epoch milliseconds; 0 where nothing is. */
  readonly updatedAt: number
  readonly onRetry: () => void
}

/** Above what was read before, or alone. */
export function LoadFailed({ text, updatedAt, onRetry }: LoadFailedProps) {
  const { t } = useTranslation('desk')
  const since = updatedAt === 0 ? '' : ` ${t('failed.since', { time: timeInRiyadh(updatedAt) })}`
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={`${text}${since}`}
      action={
        <Button size="small" onClick={onRetry}>
          {t('failed.retry')}
        </Button>
      }
    />
  )
}
