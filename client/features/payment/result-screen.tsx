import { type ReactNode, useEffect } from 'react'
import { usePageHeading } from '#client/ui/page-heading.ts'
import styles from './result-screen.module.css'

interface ResultScreenProps {
  /** The heading, also used for the document's title. */
  readonly title: string
  /** A line above the heading. */
  readonly note?: ReactNode
  /** A drawing above the heading. */
  readonly picture?: ReactNode
  /** Below the heading; announced with it when it changes. */
  readonly lead?: ReactNode
  /** Announced at once. */
  readonly isAlert?: boolean
  /** Makes it a dialog, closed by Escape, too. */
  readonly onClose?: (() => void) | undefined
  /** Its tag hangs on the thread of the top bar. */
  readonly isPass?: boolean
  readonly children?: ReactNode
}

const headingId = 'result-heading'

/** The page of one order. Its heading is a live region, because it changes while the page is open. */
export function ResultScreen(props: ResultScreenProps) {
  const { title, note, picture, lead, isAlert = false, onClose, isPass = false, children } = props
  const heading = usePageHeading(title)
  useEscape(onClose)
  return (
    <div
      className={isPass ? `${styles.result} ${styles.pass}` : styles.result}
      // Not modal: the top bar stays usable.
      {...(onClose === undefined ? {} : { role: 'dialog', 'aria-labelledby': headingId })}
    >
      {picture}
      <div className={styles.head} role={isAlert ? 'alert' : 'status'}>
        {note}
        <h1 ref={heading} tabIndex={-1} id={headingId} className={styles.title}>
          {title}
        </h1>
        {lead ? <div className={styles.lead}>{lead}</div> : null}
      </div>
      {children}
    </div>
  )
}

function useEscape(onClose: (() => void) | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Escape in a modal dialog closes only that.
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])
}
