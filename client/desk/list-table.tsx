import { Flex, Table, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import styles from './list-table.module.css'

/** The class of a column that narrow screens leave out. */
export const wide = styles.wide ?? ''

interface ListTableProps<T> extends Omit<TableProps<T>, 'title'> {
  title: string
  /** The title is for screen readers only. */
  isTitleHidden?: boolean
}

/** A list of records. Each row is one link; J and K go through these links. */
export function ListTable<T extends object>({ title, isTitleHidden = false, ...table }: ListTableProps<T>) {
  return (
    <Table<T>
      className={styles.table ?? ''}
      size="medium"
      aria-label={title}
      pagination={false}
      {...(!isTitleHidden && { title: () => <h2>{title}</h2> })}
      {...table}
    />
  )
}

/** The link that covers a whole row. @param id value of `data-row`, by which keys find the row */
export const RowLink = ({ id = '', ...link }: LinkProps & { id?: string }) => (
  <Link className={styles.link} data-row={id} {...link} />
)

/** The first cell of a row: the city the bag goes to, and the name of the record. */
export const RecordCell = ({ city, children }: { city?: string | null; children: ReactNode }) => (
  <Flex align="center" gap="small" className={styles.record}>
    <CityBlock city={city ?? undefined} />
    <div>{children}</div>
  </Flex>
)
