import { Icon } from './icon.tsx'
import './toast-mark.css'

/** In the place of the mark antd puts before a toast, whose English name would be read out before the sentence. */
export function ToastMark({ tone }: { readonly tone: 'good' | 'bad' }) {
  return (
    <span className={`toast-mark toast-mark-${tone}`}>
      <Icon name={tone === 'good' ? 'tick' : 'alert'} />
    </span>
  )
}
