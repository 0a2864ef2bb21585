import statesStyles from './states.module.css'
import styles from './tag-outline.module.css'

/** In the shape of a tag that comes, the spinner in the place of its barcode. What is waited for is said above it. */
export function TagOutline() {
  return (
    <div className={styles.outline} aria-hidden="true" data-loading data-screen>
      <div className={styles.ear} />
      <div className={styles.band} />
      <div className={styles.paper}>
        <span className={statesStyles.spinner} />
      </div>
    </div>
  )
}
