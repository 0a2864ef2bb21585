import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './tag.module.css'

interface EyeletProps {
  /** Crossed out: no bag travels on the tag any more. */
  readonly isOver?: boolean
  readonly className?: string | undefined
}

/** The hole of a tag, for its thread. */
export function Eyelet({ isOver = false, className }: EyeletProps) {
  return (
    <i
      className={classes(styles.eyelet, isOver && styles.isOver, className)}
      aria-hidden="true"
      data-screen
    />
  )
}

interface EarProps {
  /** `lying`: of a tag on its side. */
  readonly shape: 'upright' | 'lying'
  /** What stands at its ends. */
  readonly start?: ReactNode
  readonly end?: ReactNode
  readonly className: string | undefined
}

/** The end of a tag that hangs on the thread. */
export function Ear({ shape, start, end, className }: EarProps) {
  return (
    <div
      className={classes(styles.ear, styles[shape], className)}
      data-screen={shape === 'lying' || undefined}
    >
      {start === undefined ? null : <span>{start}</span>}
      <Eyelet />
      {start === undefined ? null : <span>{end}</span>}
    </div>
  )
}
