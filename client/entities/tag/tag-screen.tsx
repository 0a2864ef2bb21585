import type { ReactNode } from 'react'
import { classes } from '#client/ui/classes.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { usePageHeading } from '#client/ui/page-heading.ts'
import styles from './tag-screen.module.css'

export interface TagNote {
  readonly tone: 'good' | 'moving' | 'waiting' | 'calm'
  readonly icon: IconName
  readonly text: ReactNode
}

interface TagScreenProps {
  /** The heading, also used for the document's title. */
  readonly title: string
  /** A line above the heading with the name of the bag’s state. */
  readonly note?: TagNote | undefined
  /** A drawing above the heading. */
  readonly picture?: ReactNode
  /** Content below the heading. A screen reader announces it with the heading when it changes. */
  readonly lead?: ReactNode
  /** True for an alert, which a screen reader announces at once. */
  readonly isAlert?: boolean
  /** Its tag, which hangs on the thread of the top bar. */
  readonly tag?: 'whole' | 'small' | undefined
  readonly children?: ReactNode
}

/** The id of the heading. */
export const tagHeadingId = 'tag-heading'

/** The page or the dialog of one bag or order. Its heading is a live region: a change of state is one sentence, said once. */
export function TagScreen(props: TagScreenProps) {
  const { title, note, picture, lead, isAlert = false, tag, children } = props
  const heading = usePageHeading(title)
  return (
    <div
      className={classes(layout.stack, styles.screen, tag && styles.tagged, tag === 'whole' && styles.dune)}
    >
      {picture}
      <div className={styles.head} role={isAlert ? 'alert' : 'status'}>
        {note === undefined ? null : (
          <p className={`${layout.line} ${layout.gap2} ${styles.note} ${styles[note.tone]}`} data-screen>
            <Icon name={note.icon} />
            <span>{note.text}</span>
          </p>
        )}
        <h1 ref={heading} tabIndex={-1} id={tagHeadingId} data-start>
          {title}
        </h1>
        {lead ? <div className={styles.lead}>{lead}</div> : null}
      </div>
      {children}
    </div>
  )
}
