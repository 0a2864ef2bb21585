import type { ReactNode } from 'react'
import styles from './page.module.css'
import { useTitle } from './use-title.ts'

interface PageHeadProps {
  /** The document is named after it, too. */
  readonly title: string
  /** What belongs on the page. */
  readonly rule?: string
  /** What can be done. */
  readonly children?: ReactNode
}

export function PageHead({ title, rule, children }: PageHeadProps) {
  useTitle(title)
  return (
    <div className={styles.head}>
      <div>
        <h1>{title}</h1>
        {rule === undefined ? null : <p className={styles.small}>{rule}</p>}
      </div>
      {children}
    </div>
  )
}
