import { useId } from 'react'
import styles from './tents.module.css'

/** One tent of Mina, lit from the left in both directions of writing, as a tile. */
export function TentPattern({ id }: { id: string }) {
  return (
    <pattern id={id} x="-24" y="-36" width="48" height="53" patternUnits="userSpaceOnUse">
      <path fill="var(--tent-shadow)" opacity=".45" d="M24 43l24-10v9L26 49H22L0 42v-9Z" />
      <path fill="var(--tent-lit)" d="M24 5Q20 25 1 31l23 9ZM24 0l-3 7 3 1Z" />
      <path fill="var(--tent-dim)" d="M24 5Q28 25 47 31L24 40Z" />
      <path fill="var(--tent-wall-lit)" d="M1 31l23 9v7L1 38Z" />
      <path fill="var(--tent-wall-dim)" d="M47 31l-23 9v7l23-9Z" />
      <path fill="var(--tent-tip-dim)" d="M24 0l3 7-3 1Z" />
    </pattern>
  )
}

/** A row of the pattern, as wide as any screen. */
export const tentRow = 'M-9600-36H9600V13H-9600Z'

/** Three rows of tents, 40 px: above the footer and under forms. */
export function Tents() {
  const pattern = useId()
  return (
    <svg className={styles.tents} aria-hidden="true" focusable="false" data-screen>
      <defs>
        <TentPattern id={pattern} />
      </defs>
      <g fill={`url(#${pattern})`}>
        <path transform="translate(0 15) scale(.4)" d={tentRow} />
        <path transform="translate(-13 24) scale(.54)" d={tentRow} />
        <path transform="translate(0 35) scale(.68)" d={tentRow} />
      </g>
    </svg>
  )
}
