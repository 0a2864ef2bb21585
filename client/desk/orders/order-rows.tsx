import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { DeskOrderRow } from '#shared/desk-orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { WorkKind } from '#shared/work/work.schemas.ts'
import { rowLink, useRowKeys } from '../keys.ts'
import { Moment } from '../moment.tsx'
import { orderPath } from '../pages.ts'
import styles from './rows.module.css'

/** From which list an order was opened: K and J lead to those before and after it. */
export interface FromList {
  readonly kind?: WorkKind
  readonly ids: readonly number[]
}

interface OrderRowsProps {
  readonly title: string
  readonly rows: readonly DeskOrderRow[]
}

/** Orders as a table; each row is a link, and J and K go through them. */
export function OrderRows({ title, rows }: OrderRowsProps) {
  const { t } = useTranslation('desk-orders')
  useRowKeys()
  const from: FromList = { ids: rows.map(({ orderId }) => orderId) }
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('column.order')}</th>
            <th scope="col">{t('column.status')}</th>
            <th scope="col">{t('column.bag')}</th>
            <th scope="col">{t('column.owner')}</th>
            <th scope="col" className={styles.wide}>
              {t('column.agent')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('column.created')}
            </th>
            <th scope="col">{t('column.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <OrderRow key={row.orderId} row={row} from={from} />
          ))}
        </tbody>
      </table>
    </div>
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
        {bags.map(({ awb, state }, index) => (
          // Bags have no name of their own, and their order is that of the legs.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={index} className={styles.bag}>
            {state === null ? t('bag.none') : t(`bag.${state}`)}
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

/** Long numbers are read aloud in groups. */
export const inGroups = (digits: string, size: number): string =>
  digits.replace(new RegExp(`(.{${size}})(?=.)`, 'g'), '$1 ')
