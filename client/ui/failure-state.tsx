import { problemText } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { FailingScene, OfflineScene } from './scene.tsx'
import { State } from './state.tsx'

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
    <State
      role="alert"
      scene={isOffline ? <OfflineScene /> : <FailingScene />}
      title={title}
      text={problemText(problem)}
    >
      {onRetry === undefined ? null : <Button onClick={onRetry}>{t('tryAgain')}</Button>}
    </State>
  )
}
