import { Link } from 'react-router-dom'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { DeskOrderRow } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { rowLink } from '../keys.ts'
import { Moment } from '../moment.tsx'
import { orderPath } from '../pages.ts'
import styles from '../rows.module.css'
import { Rows } from '../rows.tsx'

/** From which list an order was opened: K and J lead to those before and after it. */
export interface FromList {
  readonly kind?: WorkKind
  readonly ids: readonly number[]
}

interface OrderRowsProps {
  readonly title: string
  readonly rows: readonly DeskOrderRow[]
}

/** Orders as a table; each row is a link, which J and K of the page go through. */
export function OrderRows({ title, rows }: OrderRowsProps) {
  const { t } = useTranslation('desk-orders')
  const from: FromList = { ids: rows.map(({ orderId }) => orderId) }
  return (
    <Rows
      title={title}
      columns={[
        t('column.order'),
        t('column.status'),
        t('column.bag'),
        t('column.owner'),
        { wide: t('column.agent') },
        { wide: t('column.created') },
        t('column.amount'),
      ]}
    >
      {rows.map((row) => (
        <OrderRow key={row.orderId} row={row} from={from} />
      ))}
    </Rows>
  )
}

function OrderRow({ row, from }: { readonly row: DeskOrderRow; readonly from: FromList }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const { orderId, city, owner, bags } = row
  return (
    <tr>
      <th scope="row">
        <span className={styles.order}>
          <CityBlock city={city ?? undefined} />
          <span>
            <Link className={styles.link} to={orderPath(orderId)} state={from} {...{ [rowLink]: '' }}>
              <Ltr>{orderNumber(orderId)}</Ltr>
            </Link>
            {city === null ? null : <span className={styles.small}>{cityName(city, language)}</span>}
          </span>
        </span>
      </th>
      <td>
        <StatusBadge status={row.status} isPlain />
      </td>
      <td>
        {/* A bag has no name of its own: it is known by its leg. */}
        {[...bags.entries()].map(([leg, { awb, state }]) => (
          <span key={leg} className={styles.bag}>
            <span>{state === null ? t('bag.none') : t(`bag.${state}`)}</span>
            {awb === null ? null : (
              <span className={styles.small}>
                <Ltr>{inGroups(awb, 4)}</Ltr>
              </span>
            )}
          </span>
        ))}
      </td>
      <td>
        {owner === null ? (
          t('owner.none')
        ) : (
          <>
            <bdi>{owner.name}</bdi>
            <span className={styles.small}>
              <Ltr>{owner.phone}</Ltr>
            </span>
          </>
        )}
      </td>
      <td className={styles.wide}>
        <bdi>{row.agentName === null ? row.agentCode : inLanguage(row.agentName, language)}</bdi>
      </td>
      <td className={styles.wide}>
        <Moment at={row.createdAt} />
      </td>
      <td className={styles.sum}>{formatMoney(row.amountHalalas, language)}</td>
    </tr>
  )
}

/** Long numbers are read aloud in groups; what is no number stays as it is. */
export const inGroups = (text: string, size: number): string =>
  /\D/.test(text) ? text : text.replace(new RegExp(`(.{${size}})(?=.)`, 'g'), '$1 ')
