import { type ReactNode, useEffect } from 'react'
import { classes } from '#client/ui/classes.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import { usePageHeading } from '#client/ui/page-heading.ts'
import styles from './tag-screen.module.css'

export interface TagNote {
  readonly tone: 'good' | 'moving' | 'waiting'
  readonly icon: IconName
  readonly text: ReactNode
}

interface TagScreenProps {
  /** The heading, also used for the document's title. */
  readonly title: string
  /** A line above the heading: what the bag’s state is called. */
  readonly note?: TagNote | undefined
  /** A drawing above the heading. */
  readonly picture?: ReactNode
  /** Below the heading; announced with it when it changes. */
  readonly lead?: ReactNode
  /** Announced at once. */
  readonly isAlert?: boolean
  /** Makes it a dialog, closed by Escape, too. */
  readonly onClose?: (() => void) | undefined
  /** Its tag, which hangs on the thread of the top bar. */
  readonly tag?: 'whole' | 'small' | undefined
  readonly children?: ReactNode
}

const headingId = 'tag-heading'

/** The page of one bag or order. Its heading is a live region: a change of state is one sentence, said once. */
export function TagScreen(props: TagScreenProps) {
  const { title, note, picture, lead, isAlert = false, onClose, tag, children } = props
  const heading = usePageHeading(title)
  useEscape(onClose)
  return (
    <div
      className={classes(styles.screen, tag && styles.tagged, tag === 'whole' && styles.dune)}
      // Not modal: the top bar stays usable.
      {...(onClose === undefined ? {} : { role: 'dialog', 'aria-labelledby': headingId })}
    >
      {picture}
      <div className={styles.head} role={isAlert ? 'alert' : 'status'}>
        {note === undefined ? null : (
          <p className={`${styles.note} ${styles[note.tone]}`} data-screen>
            <Icon name={note.icon} />
            <span>{note.text}</span>
          </p>
        )}
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
