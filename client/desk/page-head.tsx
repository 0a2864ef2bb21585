import { Flex } from 'antd'
import type { ReactNode } from 'react'
import styles from './page.module.css'
import { useTitle } from './use-title.ts'

interface PageHeadProps {
  /** The heading, and the title of the document. */
  title: string
  /** A sentence that says which records belong on the page. */
  rule?: string
  /** Buttons. */
  children?: ReactNode
}

export function PageHead({ title, rule, children }: PageHeadProps) {
  useTitle(title)
  return (
    <Flex wrap align="center" justify="space-between" gap="small">
      <div>
        <h1>{title}</h1>
        {rule === undefined ? null : <p className={styles.small}>{rule}</p>}
      </div>
      {children}
    </Flex>
  )
}
