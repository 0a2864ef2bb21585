import { classes } from './classes.ts'
import styles from './cord.module.css'

interface CordProps {
  /** Place and size: the thread leads from its upper corner at the reading edge to the lower corner at the other one. */
  readonly className: string | undefined
  /** Not tied yet: it leaves the step list sideways, so that it crosses none of its texts. */
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
      {isLoose ? (
        <path d="M100 0C76 0 54-4 24 8C6 16 0 44 0 100" />
      ) : (
        <path pathLength={1} d="M100 0C100 110 0 20 0 100" />
      )}
    </svg>
  )
}
