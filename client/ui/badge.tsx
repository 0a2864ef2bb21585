import styles from './badge.module.css'
import { classes } from './classes.ts'

interface BadgeProps {
  /** Green is good, yellow waits; the text carries the meaning. */
  readonly tone: 'good' | 'waiting'
  readonly text: string
}

export function Badge({ tone, text }: BadgeProps) {
  return (
    <span className={classes(styles.badge, styles[tone])}>
      <bdi>{text}</bdi>
    </span>
  )
}
