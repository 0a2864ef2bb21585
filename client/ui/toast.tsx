import { useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { createStore, useStore } from '#client/platform/store.ts'
import buttonStyles from './button.module.css'
import { Icon } from './icon.tsx'
import layout from './layout.module.css'
import styles from './toast.module.css'

interface ToastOptions {
  /** Default: `bad`. */
  readonly tone?: 'good' | 'bad'
  /** False when the focus moves to a field whose message a screen reader announces: it announces one mistake once. */
  readonly isAnnounced?: boolean
}

interface ToastState extends Required<ToastOptions> {
  readonly text: string
  /** Differs for each toast: the same text shown again is announced again. */
  readonly id: number
}

/** How long a toast is shown, unless the pointer or the focus is on it. */
export const toastDurationMs = 6_000

const shown = createStore<ToastState | null>(null)
/** The mounted `ToastRegion`s, in the order of mounting. */
const regions = createStore<readonly string[]>([])
let lastId = 0

/** Shows one line of text; it replaces the toast on screen. */
export function showToast(text: string, { tone = 'bad', isAnnounced = true }: ToastOptions = {}): void {
  lastId += 1
  shown.set({ text, tone, isAnnounced, id: lastId })
}

export function hideToast(): void {
  shown.set(null)
}

/** Rendered once, before the pages. The toast ends with the next keystroke, page or language. */
export function Toasts() {
  const language = useLanguage()
  const { pathname } = useLocation()
  return (
    <>
      {/* Before the pages: a new page's own toast must be shown after this has hidden the previous one. */}
      <ToastEnd key={`${language} ${pathname}`} />
      <ToastRegion />
    </>
  )
}

function ToastEnd() {
  useEffect(() => {
    hideToast()
    document.addEventListener('input', hideToast)
    return () => document.removeEventListener('input', hideToast)
  }, [])
  return null
}

/**
 * The place of the toast. A modal dialog has its own, because the page behind it is inert and not announced; the one
 * mounted last shows the toast.
 */
export function ToastRegion() {
  const id = useId()
  const toast = useStore(shown)
  const isLast = useStore(regions).at(-1) === id
  useEffect(() => {
    regions.set([...regions.get(), id])
    return () => regions.set(regions.get().filter((each) => each !== id))
  }, [id])
  const line = isLast && toast !== null ? <ToastLine key={toast.id} toast={toast} /> : null
  const isPolite = toast?.tone === 'good' && toast.isAnnounced
  return (
    <div className={`${layout.stack} ${styles.region}`} data-screen>
      {isPolite ? null : line}
      {/* Exists before its text: browsers announce changes of a polite region, not its appearance. */}
      <div aria-live="polite">{isPolite ? line : null}</div>
    </div>
  )
}

function ToastLine({ toast: { text, tone, isAnnounced } }: { readonly toast: ToastState }) {
  const { t } = useTranslation('ui')
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(hideToast, toastDurationMs)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only postpone the end
    <div
      className={`${layout.line} ${layout.gap2} ${styles.toast}`}
      data-toast
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon name={tone === 'good' ? 'tick' : 'alert'} />
      <p className={styles.text} role={tone === 'bad' && isAnnounced ? 'alert' : undefined}>
        {text}
      </p>
      <button
        type="button"
        className={`${layout.grid} ${buttonStyles.iconOnly} ${styles.dismiss}`}
        aria-label={t('dismiss')}
        onClick={hideToast}
      >
        <Icon name="cross" />
      </button>
    </div>
  )
}
