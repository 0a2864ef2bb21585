import styles from './page.module.css'

/** The thread between the step list and the hole of the pass, where the two stand side by side. */
export function Cord() {
  return (
    <svg
      className={`${styles.cord} ${styles.onlyBeside}`}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path vectorEffect="non-scaling-stroke" d="M100 0C76 0 54 -4 24 8C6 16 0 44 0 100" />
    </svg>
  )
}
