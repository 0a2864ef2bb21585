import { Table, type TableProps } from 'antd'
import { useState } from 'react'
import { isOrderVoid } from '#client/entities/order/order-card.rules.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { AntdLook, tableLook, textScale } from '#client/ui/antd-look.tsx'
import { classes } from '#client/ui/classes.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { Filters } from './agent-orders.rules.ts'
import {
  type OrderRowsProps,
  RowAge,
  RowCity,
  RowLast,
  RowPhone,
  RowTitle,
  useRowKeys,
} from './order-rows.tsx'
import styles from './orders-table.module.css'

export interface OrdersTableProps extends Omit<OrderRowsProps, 'isSearch'> {
  readonly filters: Filters
  readonly onFilter: (name: keyof Filters, value: string) => void
  /** True when all found orders are loaded, so that the table can sort them by name. */
  readonly isWhole: boolean
}

const wide = { city: '5.5rem', phone: '9.5rem', age: '12.5rem', last: '6.5rem' }
const beside = { city: '4.5rem', phone: '8.75rem', age: '7.5rem', last: '5.5rem' }

/**
 * The agent's orders on wide screens, in antd's Table. Outside the desk only this file and ui/antd-look.tsx import antd, and only
 * agent-orders.route.tsx loads it. The server sorts by time, this table sorts by name. The arrow keys work as in OrderRows.
 */
export function OrdersTable({ orders, filters, onFilter, isWhole, ...rows }: OrdersTableProps) {
  const { now, unsent, selectedId, onSelect, onOpen } = rows
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  const [byName, setByName] = useState<'ascend' | 'descend' | null>(null)
  const sortedBy = isWhole ? byName : null
  const compare = (a: Order, b: Order) => (a.user?.name ?? '').localeCompare(b.user?.name ?? '', language)
  const sorted =
    sortedBy === null
      ? orders
      : orders.toSorted((a, b) => (sortedBy === 'ascend' ? compare(a, b) : compare(b, a)))
  const { tabStop, ...keys } = useRowKeys(sorted, selectedId, onSelect)
  // Beside an open order the table is narrower: a long name keeps its width, the date moves below the time.
  const widths = selectedId === undefined ? wide : beside

  const columns: TableProps<Order>['columns'] = [
    {
      key: 'city',
      title: t('columns.city'),
      width: widths.city,
      render: (_, order) => <RowCity order={order} />,
    },
    {
      key: 'customer',
      title: t('columns.customer'),
      ...(isWhole && { sorter: true, sortOrder: sortedBy }),
      render: (_, order) => (
        <RowTitle
          order={order}
          isTabStop={order.orderId === tabStop}
          isSelected={order.orderId === selectedId}
          onOpen={() => onOpen(order.orderId)}
        />
      ),
    },
    {
      key: 'phone',
      title: t('columns.phone'),
      width: widths.phone,
      render: (_, order) => <RowPhone order={order} />,
    },
    {
      key: 'age',
      className: styles.age ?? '',
      title: t('columns.age'),
      width: widths.age,
      sorter: true,
      sortOrder: sortedBy !== null ? null : filters.order === 'newest' ? 'ascend' : 'descend',
      render: (_, order) => <RowAge order={order} now={now} unsent={unsent} hasDay />,
    },
    {
      key: 'last',
      className: styles.last ?? '',
      title: t('columns.last'),
      width: widths.last,
      align: 'end',
      render: (_, order) => <RowLast order={order} />,
    },
  ]

  return (
    <AntdLook
      name="agents"
      token={{ fontSize: 15 * textScale() }}
      components={{ Table: { ...tableLook, cellPaddingBlockMD: 4 } }}
    >
      <div className={styles.table} {...keys}>
        <Table<Order>
          aria-label={t('columns.caption')}
          size="middle"
          rowKey="orderId"
          columns={columns}
          dataSource={sorted}
          pagination={false}
          showSorterTooltip={false}
          rowClassName={(order) =>
            classes(
              styles.row,
              isOrderVoid(order) && styles.isRefused,
              order.orderId === selectedId && styles.isSelected,
            )
          }
          onChange={(_pages, _filters, sorter) => {
            const [column] = [sorter].flat()
            if (column?.columnKey === 'customer') return setByName(column.order ?? null)
            // When the sorting by name ends, the list returns to its previous order.
            if (sortedBy === null) onFilter('order', filters.order === 'newest' ? '' : 'newest')
            setByName(null)
          }}
        />
      </div>
    </AntdLook>
  )
}
