import { classes } from './classes.ts'
import styles from './cord.module.css'

interface CordProps {
  /** Place and size: the thread leads from its upper corner at the reading edge to the lower corner at the other one. */
  readonly className: string | undefined
  /** Not tied yet. */
  readonly isLoose?: boolean
}

/** The thread on its way to the eyelet of a tag. */
export function Cord({ className, isLoose = false }: CordProps) {
  return (
    <svg
      className={classes(styles.cord, isLoose && styles.isLoose, className)}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      data-screen
    >
      <path pathLength={isLoose ? undefined : 1} d="M100 0C100 62 0 38 0 100" />
    </svg>
  )
}
