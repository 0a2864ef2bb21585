import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import './toast-mark.css'
import './ui.texts.ts'

/**
 * In the place of the mark antd puts before a toast, whose English name would be read out before the sentence. With it
 * comes the way to put the toast aside, which antd's own do not have.
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
        className="toast-dismiss"
        aria-label={t('dismiss')}
        onClick={() => message.destroy()}
      >
        <Icon name="cross" />
      </button>
    </>
  )
}
