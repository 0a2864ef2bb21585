import { problemText } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { Scene } from './scene.tsx'
import styles from './states.module.css'

interface FailureStateProps {
  /** Any thrown value. */
  problem: unknown
  /** Absent when another try cannot help. */
  onRetry?: (() => void) | undefined
  title?: string
}

export function FailureState({ problem, onRetry, title }: FailureStateProps) {
  const { t } = useTranslation('ui')
  const isOffline = useConnection() === 'offline'
  return (
    <div className={styles.state} role="alert">
      <Scene name={isOffline ? 'offline' : 'failing'} />
      {title === undefined ? null : <p className={styles.stateTitle}>{title}</p>}
      <p className={styles.stateText}>{problemText(problem)}</p>
      {onRetry === undefined ? null : <Button onClick={onRetry}>{t('tryAgain')}</Button>}
    </div>
  )
}
