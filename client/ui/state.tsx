import type { ReactNode } from 'react'
import layout from './layout.module.css'
import styles from './states.module.css'

interface StateProps {
  readonly scene: ReactNode
  readonly title?: string | undefined
  readonly text?: string | undefined
  readonly role?: 'alert'
  /** A link or button to the next step. */
  readonly children?: ReactNode
}

/** A picture and words in place of the content of a page or a list. */
export function State({ scene, title, text, role, children }: StateProps) {
  return (
    <div className={`${layout.stack} ${layout.gap2} ${styles.state}`} role={role}>
      {scene}
      {title === undefined ? null : <p className={styles.stateTitle}>{title}</p>}
      {text === undefined ? null : <p className={styles.stateText}>{text}</p>}
      {children}
    </div>
  )
}
