import type { ReactNode } from 'react'
import './card-table.css'

export interface CardTableColumn {
  readonly name: string
  /** For numbers and buttons: the wide columns share what is left. */
  readonly isNarrow?: boolean
}

export interface CardTableRow {
  readonly key: string
  /** One per column. */
  readonly cells: readonly ReactNode[]
}

interface CardTableProps {
  /** For screen readers: what the table lists. */
  readonly caption: ReactNode
  readonly columns: readonly CardTableColumn[]
  readonly rows: readonly CardTableRow[]
}

/** A table where there is room for one; on a phone every row is a card and every cell says its own column. */
export function CardTable({ caption, columns, rows }: CardTableProps) {
  return (
    <table className="card-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" className={column.isNarrow ? 'card-table-narrow' : undefined}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            {columns.map((column, index) => (
              <td key={column.name} data-column={column.name}>
                {row.cells[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
