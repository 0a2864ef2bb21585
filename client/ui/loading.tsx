import { useTranslation } from 'react-i18next'
import './states.css'
import './ui.texts.ts'

interface LoadingProps {
  /** What is being waited for; "Loading…" unless told. */
  label?: string
  /** `inline` sits in a line of text, `page` fills the place of the content. */
  size?: 'inline' | 'page'
}

export function Loading({ label, size = 'page' }: LoadingProps) {
  const { t } = useTranslation('ui')
  return (
    <div className={`loading loading-${size}`} role="status">
      <span className="spinner" aria-hidden="true" />
      <span className={size === 'inline' ? 'visually-hidden' : 'loading-label'}>{label ?? t('loading')}</span>
    </div>
  )
}
