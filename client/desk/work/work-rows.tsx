import { formatAge, formatDay } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { isolated } from '../isolated.ts'
import { ListTable, RecordCell, RowLink, wide } from '../list-table.tsx'
import { Mark } from '../mark.tsx'
import { Moment, useMinute } from '../moment.tsx'
import type { FromList } from '../orders/order-rows.tsx'
import pageStyles from '../page.module.css'
import { Holder } from './holder.tsx'
import { OpenAgent } from './open-agent.tsx'
import type { RowActs } from './row-acts.tsx'
import { nameOf, placeOf } from './row-place.ts'
import styles from './work.module.css'
import { toneOfAge } from './work.rules.ts'

interface WorkRowsProps {
  title: string
  kind: WorkKind
  rows: readonly WorkRow[]
  acts: RowActs
  staff: Pick<StaffSession, 'name' | 'roles'>
}

/** The rows of a work list. Each is a link to its subject. */
export function WorkRows({ title, kind, rows, acts, staff }: WorkRowsProps) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  const from: FromList = { kind, ids: [...new Set(rows.flatMap(({ orderId }) => orderId ?? []))] }
  return (
    <ListTable<WorkRow>
      title={title}
      isTitleHidden
      rowKey="id"
      dataSource={rows}
      columns={[
        {
          title: t(kind === 'agents' ? 'column.agent' : 'column.about'),
          rowScope: 'row',
          render: (_, row) => <About row={row} from={from} />,
        },
        {
          title: t('column.why'),
          render: (_, row) => (
            <>
              <Mark tone={toneOfAge(row, now)}>{row.text}</Mark>
              {kind === 'agents' ? <OpenAgent row={row} staff={staff} /> : null}
            </>
          ),
        },
        {
          title: t('column.last'),
          className: wide,
          render: (_, { lastNews }) => (lastNews === null ? null : <LastNews news={lastNews} />),
        },
        {
          title: t(kind === 'claims' ? 'column.due' : 'column.age'),
          render: (_, row) => {
            const isLate = toneOfAge(row, now) === 'bad'
            return (
              <span className={isLate ? `${styles.age} ${pageStyles.late}` : styles.age}>
                <span>
                  {row.kind === 'claims'
                    ? // A day ends at midnight, which already belongs to the next day.
                      formatDay(Date.parse(row.dueAt) - 1, language)
                    : formatAge(now - Date.parse(row.since), language)}
                </span>
                {isLate ? <span className="visually-hidden"> {t('late')}</span> : null}
              </span>
            )
          },
        },
        { title: t('column.who'), render: (_, row) => <Holder row={row} now={now} acts={acts} /> },
      ]}
    />
  )
}

/** State and place of a bag at its last scan. The shipping partner's own words are on the page of the order. */
function LastNews({ news: { state, at, place } }: { news: NonNullable<WorkRow['lastNews']> }) {
  const { t } = useTranslation(['desk-work', 'desk-orders'])
  const text = t(`desk-orders:bag.${state}`)
  return (
    <>
      <span>{place === null ? text : t('lastAt', { state: text, place: isolated(place) })}</span>
      {at === null ? null : (
        <div className={pageStyles.small}>
          <Moment at={at} />
        </div>
      )}
    </>
  )
}

function About({ row, from }: { row: WorkRow; from: FromList }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const { kind, orderId, city, data } = row
  const id = `${kind} ${row.id}`
  const name = nameOf(row)
  return (
    <RecordCell city={city}>
      {name === undefined ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys T, R and H act on the row in focus, and this one has no link
        <b tabIndex={0} data-row={id}>
          {kind === 'agents' ? <bdi>{inLanguage(String(data.name), language)}</bdi> : t('noOrder')}
        </b>
      ) : (
        <RowLink to={placeOf(row)} state={from} id={id}>
          <Ltr>{name}</Ltr>
        </RowLink>
      )}
      <div className={pageStyles.small}>
        {kind === 'agents' ? (
          <Ltr>{data.phone}</Ltr>
        ) : kind === 'claims' ? (
          orderId !== null && <Ltr>{orderNumber(orderId)}</Ltr>
        ) : (
          city !== null && cityName(city, language)
        )}
      </div>
    </RecordCell>
  )
}
