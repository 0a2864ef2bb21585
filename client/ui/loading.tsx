import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import './states.css'
import './ui.texts.ts'

/** What arrives sooner needs no spinner: a flash of one only makes the page feel slower. */
export const spinnerAfterMs = 300

interface LoadingProps {
  /** What is being waited for; "Loading…" unless told. */
  label?: string
  /** `inline` sits in a line of text, `page` fills the place of the content. */
  size?: 'inline' | 'page'
}

/** The place is taken and the live region is there from the start, so that nothing jumps and the words are read. */
export function Loading({ label, size = 'page' }: LoadingProps) {
  const { t } = useTranslation('ui')
  const isLong = useIsLong()
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

function useIsLong(): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), spinnerAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLong
}
