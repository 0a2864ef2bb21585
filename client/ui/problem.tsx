import { problemText } from '#client/platform/call.ts'
import { classes } from './classes.ts'
import styles from './note.module.css'

interface ProblemProps {
  /** Any thrown value; nothing is shown without one. */
  readonly error: unknown
  readonly className?: string | undefined
}

/** The reason why a call failed, beside the button that started it. */
export function Problem({ error, className }: ProblemProps) {
  if (error === null || error === undefined) return null
  return (
    <p className={classes(styles.problem, className)} role="alert">
      {problemText(error)}
    </p>
  )
}
