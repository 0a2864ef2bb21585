import statesStyles from './states.module.css'
import styles from './tag-outline.module.css'

/** In the shape of a tag that comes, the spinner in the place of its barcode. What is waited for is said above it. */
export function TagOutline() {
  return (
    <div className={`${statesStyles.loadingPage} ${styles.outline}`} aria-hidden="true" data-loading>
      <span className={statesStyles.spinner} />
    </div>
  )
}
