import { classes } from '#client/ui/classes.ts'
import styles from './cord.module.css'

export interface Curve {
  readonly width: number
  readonly height: number
  /** Read from the right. */
  readonly d: string
}

interface CordProps extends Curve {
  /** Its place and size, and as `--above-tag` how much of it is above the tag. */
  readonly className: string | undefined
  /** The bag is not tied to it yet. */
  readonly isLoose?: boolean
}

/** The last curve of the thread, to the eyelet of a tag, and its part on the saffron of that. */
export function Cord({ className, isLoose = false, width, height, d }: CordProps) {
  return [undefined, styles.onTag].map((part) => (
    <svg
      key={part ?? ''}
      className={classes(styles.cord, isLoose ? styles.isLoose : styles.isTied, part, className)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      data-screen
    >
      <path pathLength={isLoose ? undefined : 1} d={d} />
    </svg>
  ))
}
