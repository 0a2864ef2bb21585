import type { ReactNode } from 'react'
import styles from './page.module.css'
import { useTitle } from './use-title.ts'

interface PageHeadProps {
  /** Names the document, too. */
  title: string
  /** What belongs on the page. */
  rule?: string
  /** Buttons. */
  children?: ReactNode
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
