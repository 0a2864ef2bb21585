import type { ReactNode } from 'react'
import { classes } from '#client/ui/classes.ts'
import { Cord } from '#client/ui/cord.tsx'
import styles from './tag-frame.module.css'

interface TagFrameProps {
  /** The kind of tag that hangs on the thread of the top bar. Undefined: no thread leads to it. */
  readonly thread: 'whole' | 'small' | undefined
  readonly children: ReactNode
}

/** The place of a tag on the page of its bag, with the thread to its eyelet. */
export function TagFrame({ thread, children }: TagFrameProps) {
  return (
    <div className={classes(styles.frame, thread && styles[thread])}>
      {thread === undefined ? null : <Cord className={styles.cord} />}
      {children}
    </div>
  )
}
