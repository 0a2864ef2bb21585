import { StyleProvider } from '@ant-design/cssinjs'
import { ConfigProvider, type ConfigProviderProps, Table, type TableProps, theme } from 'antd'
import arabic from 'antd/locale/ar_EG'
import english from 'antd/locale/en_US'
import { type ReactNode, useState } from 'react'
import { isOrderVoid } from '#client/entities/order/order-card.rules.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { classes } from '#client/ui/classes.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
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

export interface OrdersTableProps extends OrderRowsProps {
  readonly filters: Filters
  readonly onFilter: (name: keyof Filters, value: string) => void
  /** True when all found orders are loaded, so that the table can sort them by name. */
  readonly isWhole: boolean
}

/**
 * The agent's orders on wide screens, in antd's Table. This is the only file outside the desk that imports antd, and only agent-
 * orders.route.tsx loads it. The server sorts by time, this table sorts by name. The arrow keys work as in OrderRows.
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

  const columns: TableProps<Order>['columns'] = [
    {
      key: 'city',
      title: t('columns.city'),
      width: '5.5rem',
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
      width: '9.5rem',
      render: (_, order) => <RowPhone order={order} />,
    },
    {
      key: 'age',
      className: styles.age ?? '',
      title: t('columns.age'),
      width: '12.5rem',
      sorter: true,
      sortOrder: sortedBy !== null ? null : filters.order === 'newest' ? 'ascend' : 'descend',
      render: (_, order) => <RowAge order={order} now={now} unsent={unsent} />,
    },
    {
      key: 'last',
      title: t('columns.last'),
      width: '6.5rem',
      align: 'end',
      render: (_, order) => <RowLast order={order} />,
    },
  ]

  return (
    <AntdLook>
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

/** The texts of antd's own parts. */
const locales: Record<LanguageCode, NonNullable<ConfigProviderProps['locale']>> = { ar: arabic, en: english }

/** antd's colours, taken from ui/tokens.css. antd computes shades of them, so it needs their values. */
const colours = {
  colorPrimary: '--primary',
  colorText: '--ink',
  colorTextHeading: '--muted',
  colorIcon: '--muted',
  colorBgContainer: '--surface',
  colorBorderSecondary: '--rule',
  colorPrimaryBorder: '--saffron',
} as const

function coloursOfPage(): Record<string, string> {
  const page = getComputedStyle(document.documentElement)
  const values = Object.entries(colours).map(([name, token]) => [name, page.getPropertyValue(token).trim()])
  // In tests there are no style sheets: antd keeps its own colours.
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** Ratio of the reader's text size to the usual one: antd's sizes are pixels. */
const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1

/** antd in the product's language, direction and look, under the page's content policy. */
function AntdLook({ children }: { readonly children: ReactNode }) {
  const language = useLanguage()
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  return (
    // antd's styles are in the layer `antd` (style-layers.plugin.ts).
    <StyleProvider layer>
      <ConfigProvider
        direction={languages[language].direction}
        locale={locales[language]}
        theme={{
          algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
          token: {
            ...coloursOfPage(),
            fontFamily: 'var(--font)',
            fontSize: 15 * textScale(),
            borderRadius: 8,
            motion: !isStill,
          },
          components: {
            Table: {
              headerBg: 'var(--dune)',
              headerColor: 'var(--muted)',
              headerSplitColor: 'transparent',
              headerSortActiveBg: 'var(--dune)',
              headerSortHoverBg: 'var(--selected)',
              bodySortBg: 'transparent',
              rowHoverBg: 'var(--dune)',
              cellPaddingBlockMD: 4,
              cellPaddingInlineMD: 10,
            },
          },
          hashed: false,
          cssVar: { key: 'agents' },
        }}
        {...(nonce ? { csp: { nonce } } : {})}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  )
}

/*
 * antd writes style sheets with `innerHTML`, which the Trusted Types of the content policy refuse. The text of a style
 * element is never parsed as markup: `textContent` does the same without a policy.
 */
Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  configurable: true,
  get(this: HTMLStyleElement) {
    return this.textContent
  },
  set(this: HTMLStyleElement, text: string) {
    this.textContent = text
  },
})
