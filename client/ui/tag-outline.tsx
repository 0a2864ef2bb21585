import statesStyles from './states.module.css'
import tagStyles from './tag.module.css'
import { Ear } from './tag-ear.tsx'
import styles from './tag-outline.module.css'

/** In the shape of a tag that comes, the spinner in the place of its barcode. What is waited for is said above it. */
export function TagOutline() {
  return (
    <div className={styles.outline} aria-hidden="true" data-loading>
      <Ear shape="upright" className={styles.ear} />
      <div className={styles.band} />
      <div className={tagStyles.perforation} />
      <div className={styles.stub}>
        <span className={statesStyles.spinner} />
      </div>
    </div>
  )
}
