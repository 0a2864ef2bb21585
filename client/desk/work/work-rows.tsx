import { Link } from 'react-router-dom'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { formatDate } from '#client/platform/days.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { isolated } from '../isolated.ts'
import { rowLink } from '../keys.ts'
import { Mark } from '../mark.tsx'
import { Moment, useMinute } from '../moment.tsx'
import type { FromList } from '../orders/order-rows.tsx'
import table from '../rows.module.css'
import { Rows } from '../rows.tsx'
import { dayInRiyadh, formatAge } from '../times.ts'
import { Holder } from './holder.tsx'
import { OpenAgent } from './open-agent.tsx'
import type { RowActs } from './row-acts.tsx'
import { nameOf, placeOf } from './row-place.ts'
import styles from './work.module.css'
import { toneOfAge } from './work.rules.ts'

interface WorkRowsProps {
  readonly title: string
  readonly kind: WorkKind
  readonly rows: readonly WorkRow[]
  readonly acts: RowActs
  readonly staff: Pick<StaffSession, 'name' | 'roles'>
}

/** The rows of a list, each a link to what it is about; J and K go through them. */
export function WorkRows({ title, kind, rows, acts, staff }: WorkRowsProps) {
  const { t } = useTranslation('desk-work')
  const now = useMinute()
  const from: FromList = {
    kind,
    ids: [...new Set(rows.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))],
  }
  return (
    <Rows
      title={title}
      isTitleUnseen
      columns={[
        t(kind === 'agents' ? 'column.agent' : 'column.about'),
        t('column.why'),
        { wide: t('column.last') },
        t(kind === 'claims' ? 'column.due' : 'column.age'),
        t('column.who'),
      ]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <About row={row} from={from} />
          </th>
          <td>
            <Mark tone={toneOfAge(row, now)}>{row.text}</Mark>
            {kind === 'agents' ? <OpenAgent row={row} staff={staff} /> : null}
          </td>
          <td className={table.wide}>{row.lastNews === null ? null : <LastNews news={row.lastNews} />}</td>
          <td>
            <Age row={row} now={now} />
          </td>
          <td>
            <Holder row={row} now={now} acts={acts} />
          </td>
        </tr>
      ))}
    </Rows>
  )
}

/** What the last scan of a bag says, where and when; without words of its own what state the bag is in. */
function LastNews({
  news: { state, at, words, place },
}: {
  readonly news: NonNullable<WorkRow['lastNews']>
}) {
  const { t } = useTranslation('desk-work')
  const { t: bag } = useTranslation('desk-orders')
  const said = words ?? bag(`bag.${state}`)
  return (
    <>
      {place === null || said.includes(place) ? (
        <bdi>{said}</bdi>
      ) : (
        <span>{t('lastAt', { said: isolated(said), place: isolated(place) })}</span>
      )}
      {at === null ? null : (
        <span className={table.small}>
          <Moment at={at} />
        </span>
      )}
    </>
  )
}

function About({ row, from }: { readonly row: WorkRow; readonly from: FromList }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const name = nameOf(row)
  const { kind, orderId, city } = row
  return (
    <span className={table.order}>
      <CityBlock city={city ?? undefined} />
      <span>
        {name === undefined ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys T, R and H act on the row in focus, and this one has no link
          <b tabIndex={0} {...{ [rowLink]: `${kind} ${row.id}` }}>
            {kind === 'agents' ? <bdi>{inLanguage(String(row.data.name), language)}</bdi> : t('noOrder')}
          </b>
        ) : (
          <Link className={table.link} to={placeOf(row)} state={from} {...{ [rowLink]: `${kind} ${row.id}` }}>
            <Ltr>{name}</Ltr>
          </Link>
        )}
        {kind === 'agents' ? (
          <span className={table.small}>
            <Ltr>{row.data.phone}</Ltr>
          </span>
        ) : null}
        {kind === 'claims' && orderId !== null ? (
          <span className={table.small}>
            <Ltr>{orderNumber(orderId)}</Ltr>
          </span>
        ) : null}
        {kind !== 'claims' && city !== null ? (
          <span className={table.small}>{cityName(city, language)}</span>
        ) : null}
      </span>
    </span>
  )
}

/** How long it waits; of a claim the day of the answer. Past its limit it says so in words, too. */
function Age({ row, now }: { readonly row: WorkRow; readonly now: number }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const isLate = toneOfAge(row, now) === 'bad'
  const text =
    row.kind === 'claims'
      ? // The end of a day is the first moment of the next.
        formatDate(dayInRiyadh(Date.parse(row.dueAt) - 1), language)
      : formatAge(now - Date.parse(row.since), language)
  return (
    <span className={isLate ? `${styles.age} ${styles.late}` : styles.age}>
      <span>{text}</span>
      {isLate ? <span className="visually-hidden"> {t('late')}</span> : null}
    </span>
  )
}
