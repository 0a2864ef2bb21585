import { useTranslation } from 'react-i18next'
import { useAfter } from '#client/platform/time.ts'
import './states.css'

/** Shorter waits show no spinner, which would only flash. */
export const spinnerAfterMs = 300

interface LoadingProps {
  /** Default: "Loading…". */
  label?: string
  /** `inline`: in a line of text. `page`: instead of the content. */
  size?: 'inline' | 'page'
  /** In place of the spinner, what comes as an outline, in its size: a list of orders, the pass of one, or a route. */
  outline?: 'orders' | 'pass' | 'route'
}

/** Space and live region exist from the start: the layout does not shift, and the label is announced. */
export function Loading({ label, size = 'page', outline }: LoadingProps) {
  const { t } = useTranslation('ui')
  const isLong = useAfter(spinnerAfterMs)
  if (outline !== undefined) {
    return (
      <>
        <div className={`outline outline-${outline}`} aria-hidden="true" />
        <div className="visually-hidden" role="status">
          {isLong ? (label ?? t('loading')) : null}
        </div>
      </>
    )
  }
  return (
    <div className={`loading loading-${size}`} role="status">
      {isLong ? (
        <>
          <span className="spinner" aria-hidden="true" />
          <span className={size === 'inline' ? 'visually-hidden' : 'loading-label'}>
            {label ?? t('loading')}
          </span>
        </>
      ) : null}
    </div>
  )
}
