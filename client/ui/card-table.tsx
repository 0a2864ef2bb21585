import type { ReactNode } from 'react'
import styles from './card-table.module.css'
import { classes } from './classes.ts'

interface CardTableColumn {
  readonly name: string
  /** For numbers and buttons; the other columns share the remaining width. */
  readonly isNarrow?: boolean
  /** Its cells say what they are: a card does not repeat the column's name beside them. */
  readonly isOfButtons?: boolean
}

interface CardTableRow {
  readonly key: string
  /** One per column. */
  readonly cells: readonly ReactNode[]
}

interface CardTableProps {
  /** For screen readers. */
  readonly caption: ReactNode
  readonly columns: readonly CardTableColumn[]
  readonly rows: readonly CardTableRow[]
  readonly className?: string | undefined
}

/** A table where it fits; in a narrow place each row is a card, and each cell is labelled with its column. */
export function CardTable({ caption, columns, rows, className }: CardTableProps) {
  return (
    <div className={styles.place}>
      <table className={classes(styles.cardTable, className)}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={column.isNarrow ? styles.narrow : undefined}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {columns.map((column, index) => (
                <td key={column.name} data-column={column.isOfButtons ? undefined : column.name}>
                  {row.cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
