import { useTranslation } from 'react-i18next'
import './account.css'

/** The message of a failed call; undefined when it has none. */
export function problemText(error: unknown): string | undefined {
  return error instanceof Error && error.message !== '' ? error.message : undefined
}

/** Why a call failed. */
export function Problem({ error }: { error: unknown }) {
  const { t } = useTranslation('platform')
  return (
    <p className="account-problem" role="alert">
      {problemText(error) ?? t('unexpected')}
    </p>
  )
}
