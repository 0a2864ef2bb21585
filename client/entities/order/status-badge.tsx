import { Fragment } from 'react'
import { classes } from '#client/ui/classes.ts'
import styles from './status-badge.module.css'

interface StatusBadgeProps {
  /** `good` is green, `waiting` yellow. The text carries the meaning. */
  readonly tone: 'good' | 'waiting'
  readonly text: string
}

export function StatusBadge({ tone, text }: StatusBadgeProps) {
  return (
    <span className={classes(styles.statusBadge, styles[tone])}>
      <bdi>
        {/* An unknown status is one long word: it may break after underscores. */}
        {text.split(/(?<=_)/).map((part, index) => (
          <Fragment key={part}>
            {index === 0 ? null : <wbr />}
            {part}
          </Fragment>
        ))}
      </bdi>
    </span>
  )
}
