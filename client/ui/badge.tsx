import styles from './badge.module.css'
import { classes } from './classes.ts'

interface BadgeProps {
  /** Green is good, yellow waits, teal moves, grey is over; the text carries the meaning. */
  readonly tone: 'good' | 'waiting' | 'moving' | 'over'
  readonly text: string
  /** True when it stands beside another badge: coloured text without a frame. */
  readonly isPlain?: boolean | undefined
}

export function Badge({ tone, text, isPlain = false }: BadgeProps) {
  return (
    <span className={classes(isPlain ? styles.plain : styles.badge, styles[tone])}>
      <bdi>{text}</bdi>
    </span>
  )
}
