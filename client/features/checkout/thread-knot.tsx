import knotStyles from '#client/ui/knot.module.css'
import styles from './checkout.module.css'

/** A knot of the thread at the edge of a row of the summary. */
export function ThreadKnot() {
  return (
    <span className={styles.mark} data-progress="done" aria-hidden="true">
      <i className={knotStyles.knot} />
    </span>
  )
}
