import { type ReactNode, useEffect } from 'react'
import { classes } from '#client/ui/classes.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import { usePageHeading } from '#client/ui/page-heading.ts'
import { Cord, type Curve } from './cord.tsx'
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

interface HoldProps {
  /** Undefined where no thread leads to it. */
  readonly tag: 'whole' | 'small' | undefined
  readonly children: ReactNode
}

/** Around a tag, to whose hole the thread of the page comes. */
export function Hold({ tag, children }: HoldProps) {
  return (
    <div className={styles.hold}>
      {tag === undefined ? null : (
        <>
          <Cord className={classes(styles[tag], styles.phone)} {...cords[tag].phone} />
          <Cord className={classes(styles[tag], styles.wide)} {...cords[tag].wide} />
          {tag === 'whole' ? <i className={styles.tie} aria-hidden="true" data-screen /> : null}
        </>
      )}
      {children}
    </div>
  )
}

/** From the margin to the eyelet; to that of a whole tag with two strands from its knot on. */
const cords: Readonly<Record<'whole' | 'small', Readonly<Record<'phone' | 'wide', Curve>>>> = {
  whole: {
    phone: {
      width: 360,
      height: 66,
      d: 'M353 0C353 40 276 24 216 38C194 43 180 52 180 64M216 38C203 50 188 54 184 65',
    },
    wide: {
      width: 440,
      height: 82,
      d: 'M463 0C463 60 330 26 260 40C232 46 220 62 220 80M260 40C246 54 229 68 224 81',
    },
  },
  small: {
    phone: { width: 46, height: 92, d: 'M39 0C39 38 0 30 0 92' },
    wide: { width: 53, height: 108, d: 'M53 0C53 46 0 36 0 108' },
  },
}
