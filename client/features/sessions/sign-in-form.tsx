import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurrentLimit, isWaiting, type SupportContact } from './limit-notice.tsx'

/** Props of both sign-in pages. */
export interface SignInPageProps {
  readonly isDemo: boolean
  /** Undefined until the configuration has loaded. */
  readonly contact?: SupportContact | undefined
}

interface SubmitButtonProps {
  readonly isSending: boolean
  readonly limit: CurrentLimit | undefined
  /** Id of the `LimitNotice` that gives the reason while the button is disabled. */
  readonly limitId: string
  readonly children: ReactNode
}

export function SubmitButton({ isSending, limit, limitId, children }: SubmitButtonProps) {
  return (
    <Button
      type="primary"
      htmlType="submit"
      block
      className={isWaiting(limit) ? 'is-limited' : ''}
      aria-disabled={isSending || isWaiting(limit)}
      aria-describedby={limit === undefined ? undefined : limitId}
    >
      {children}
    </Button>
  )
}

/** Shown while the SMS service is simulated: no message will arrive. */
export function DemoHint() {
  const { t } = useTranslation('sessions')
  return <p className="auth-demo">{t('demo')}</p>
}
