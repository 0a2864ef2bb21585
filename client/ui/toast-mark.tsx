import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import './toast-mark.css'
import './ui.texts.ts'

/**
 * Replaces antd's toast icon, whose English label screen readers would announce, and adds a dismiss button, which antd's
 * toasts lack.
 */
export function ToastMark({ tone }: { readonly tone: 'good' | 'bad' }) {
  const { t } = useTranslation('ui')
  const { message } = App.useApp()
  return (
    <>
      <span className={`toast-mark toast-mark-${tone}`}>
        <Icon name={tone === 'good' ? 'tick' : 'alert'} />
      </span>
      <button
        type="button"
        className="toast-mark-dismiss"
        aria-label={t('dismiss')}
        onClick={() => message.destroy()}
      >
        <Icon name="cross" />
      </button>
    </>
  )
}
