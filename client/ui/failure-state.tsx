import { useTranslation } from 'react-i18next'
import { isCallProblem } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { Scene } from './scene.tsx'
import './states.css'
import './buttons.css'
import './ui.texts.ts'

interface FailureStateProps {
  /** Any thrown value. A `CallProblem`'s message and a string are shown; anything else gets a general text. */
  problem: unknown
  onRetry: () => void
  title?: string
}

export function FailureState({ problem, onRetry, title }: FailureStateProps) {
  const { t } = useTranslation('ui')
  const isOffline = useConnection() === 'offline'
  const message = messageOf(problem) || t('unexpected', { ns: 'platform' })
  return (
    <div className="state" role="alert">
      <Scene name={isOffline ? 'offline' : 'failing'} />
      {title === undefined ? null : <p className="state-title">{title}</p>}
      <p className="state-text">{message}</p>
      <button type="button" className="button" onClick={onRetry}>
        {t('tryAgain')}
      </button>
    </div>
  )
}

function messageOf(problem: unknown): string {
  if (typeof problem === 'string') return problem
  return isCallProblem(problem) ? problem.message : ''
}
