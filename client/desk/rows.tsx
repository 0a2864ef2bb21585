import type { ReactNode } from 'react'
import styles from './rows.module.css'

/** Its head; a wide one gives way on narrow screens, with its cells. */
export type Column = string | { readonly wide: string }

interface RowsProps {
  readonly title?: string
  /** For screen readers alone. */
  readonly isTitleUnseen?: boolean
  readonly columns: readonly Column[]
  /** Rows of cells, the first of each a head of its row. */
  readonly children: ReactNode
}

/** A table, which scrolls sideways by itself. */
export function Rows({ title, isTitleUnseen = false, columns, children }: RowsProps) {
  return (
    <div className={styles.scroll}>
      {/* A caption that is not seen would be as wide as its text, and the table would scroll. */}
      <table className={styles.table} aria-label={isTitleUnseen ? title : undefined}>
        {title === undefined || isTitleUnseen ? null : <caption>{title}</caption>}
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.wide} scope="col" className={styles.wide}>
                  {column.wide}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
