import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { DeskOrderRow } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { ListTable, RecordCell, RowLink, wide } from '../list-table.tsx'
import { Moment } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { orderPath } from '../pages.ts'

/** The list from which an order was opened: K and J open the previous and the next order. */
export interface FromList {
  kind?: WorkKind
  ids: readonly number[]
}

/** Orders as a table. */
export function OrderRows({ title, rows }: { title: string; rows: readonly DeskOrderRow[] }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const from: FromList = { ids: rows.map(({ orderId }) => orderId) }
  return (
    <ListTable<DeskOrderRow>
      title={title}
      rowKey="orderId"
      dataSource={rows}
      columns={[
        {
          title: t('column.order'),
          rowScope: 'row',
          render: (_, { orderId, city }) => (
            <RecordCell city={city}>
              <RowLink to={orderPath(orderId)} state={from}>
                <Ltr>{orderNumber(orderId)}</Ltr>
              </RowLink>
              {city === null ? null : <div className={pageStyles.small}>{cityName(city, language)}</div>}
            </RecordCell>
          ),
        },
        { title: t('column.status'), render: (_, { status }) => <StatusBadge status={status} isPlain /> },
        {
          title: t('column.bag'),
          // A bag has no id, so its leg is its key.
          render: (_, { bags }) =>
            [...bags.entries()].map(([leg, { awb, state }]) => (
              <div key={leg}>
                <span>{t(`bag.${state ?? 'none'}`)}</span>
                {awb === null ? null : (
                  <div className={pageStyles.small}>
                    <Ltr>{inGroups(awb, 4)}</Ltr>
                  </div>
                )}
              </div>
            )),
        },
        {
          title: t('column.owner'),
          render: (_, { owner }) =>
            owner === null ? (
              t('owner.none')
            ) : (
              <>
                <bdi>{owner.name}</bdi>
                <div className={pageStyles.small}>
                  <Ltr>{owner.phone}</Ltr>
                </div>
              </>
            ),
        },
        {
          title: t('column.agent'),
          className: wide,
          render: (_, { agentCode, agentName }) => (
            <bdi>{agentName === null ? agentCode : inLanguage(agentName, language)}</bdi>
          ),
        },
        {
          title: t('column.created'),
          className: wide,
          render: (_, { createdAt }) => <Moment at={createdAt} />,
        },
        { title: t('column.amount'), render: (_, row) => formatMoney(row.amountHalalas, language) },
      ]}
    />
  )
}

/** Splits a long number into groups for reading aloud. A text that is not a number stays unchanged. */
export const inGroups = (text: string, size: number): string =>
  /\D/.test(text) ? text : text.replace(new RegExp(`(.{${size}})(?=.)`, 'g'), '$1 ')
