import { Link } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { AuditFilter, AuditPage as AuditRows } from '#shared/desk/audit/audit.api.ts'
import { orderNumber, readOrderNumber } from '#shared/orders/order-number.ts'
import { useStaffName } from '../by.tsx'
import { ChoiceFilter, FilterBar, Pages, TextFilter, useFilters } from '../filters.tsx'
import { isolated } from '../isolated.ts'
import { Moment } from '../moment.tsx'
import { PageHead } from '../page-head.tsx'
import { auditPath, orderPath, personPath } from '../pages.ts'
import { Rows } from '../rows.tsx'
import { Loaded } from '../states.tsx'
import styles from './audit.module.css'
import { useAudit } from './audit.queries.ts'
import { auditActions, useAuditWords } from './audit-words.ts'

const names = ['person', 'order', 'user', 'action'] as const
type Name = (typeof names)[number]

/** An order as it is written on its page, or by its digits. */
const withOrder = ({ order, ...query }: AuditFilter): AuditFilter =>
  order === undefined ? query : { ...query, order: String(readOrderNumber(order)?.id ?? order) }

/** Who looked at or changed what, the newest first. */
export function AuditPage() {
  const { t } = useTranslation('desk-audit')
  const filters = useFilters<AuditFilter>(names)
  const audit = useAudit(withOrder(filters.query))
  const language = useLanguage()
  const { actionName } = useAuditWords()
  const kinds = auditActions.map((action) => [action, actionName(action)] as const)
  return (
    <>
      <PageHead title={t('title')} />
      <FilterBar filters={filters} label={t('filters')} clear={t('clear')}>
        <ChoiceFilter
          filters={filters}
          name="person"
          label={t('filter.person')}
          all={t('everyone')}
          options={(audit.data?.people ?? []).map(({ id, name }) => [id, name] as const)}
        />
        {(['order', 'user'] as const).map((name) => (
          <TextFilter
            key={name}
            filters={filters}
            name={name}
            label={t(`filter.${name}`)}
            maxLength={20}
            dir="ltr"
            inputMode={name === 'user' ? 'numeric' : 'text'}
          />
        ))}
        <ChoiceFilter
          filters={filters}
          name="action"
          label={t('filter.action')}
          all={t('every')}
          options={kinds.toSorted(([, one], [, other]) => one.localeCompare(other, language))}
        />
      </FilterBar>
      <Loaded query={audit} failed={t('failed')}>
        {({ rows }) => (rows.length === 0 ? <p>{t('empty')}</p> : <Table rows={rows} />)}
      </Loaded>
      <Pages
        filters={filters}
        nextCursor={audit.data?.nextCursor}
        label={t('pages')}
        first={t('first')}
        next={t('next')}
      />
    </>
  )
}

type Row = AuditRows['rows'][number]

function Table({ rows }: { readonly rows: readonly Row[] }) {
  const { t } = useTranslation('desk-audit')
  return (
    <Rows
      columns={(['at', 'by', 'action', 'about', 'reason', 'change'] as const).map((column) =>
        t(`column.${column}`),
      )}
    >
      {rows.map((row) => (
        <AuditRow key={row.number} row={row} />
      ))}
    </Rows>
  )
}

function AuditRow({ row }: { readonly row: Row }) {
  const { t } = useTranslation('desk-audit')
  const { actionName, aboutText, reasonText, changeName, valueText } = useAuditWords()
  const staffName = useStaffName()
  const { at, person, action, orderId, userId, about, reason } = row
  const by = staffName(row.by, row.roles)
  const to = (name: Name, value: string) => `${auditPath}?${new URLSearchParams({ [name]: value })}`
  return (
    <tr>
      <th scope="row" className={styles.at}>
        <Moment at={at} />
      </th>
      <td>{person === null ? by : <Link to={to('person', person)}>{by}</Link>}</td>
      <td>
        <Link to={to('action', action)}>{actionName(action)}</Link>
      </td>
      <td>
        {orderId === null ? null : (
          <Link className={styles.about} to={orderPath(orderId)}>
            <Ltr>{orderNumber(orderId)}</Ltr>
          </Link>
        )}
        {userId === null ? null : (
          <Link className={styles.about} to={personPath(userId)}>
            {t('user', { userId })}
          </Link>
        )}
        {about === null ? null : (
          <span className={styles.about}>
            <bdi>{aboutText(about, action)}</bdi>
          </span>
        )}
      </td>
      <td>
        <bdi>{reason === null ? null : reasonText(reason)}</bdi>
      </td>
      <td className={styles.change}>
        {changesOf(row, valueText).map(({ name, before, after = '–' }) => (
          <span key={name}>
            <span>{`${isolated(changeName(name))}:`}</span>{' '}
            <bdi dir="ltr">{before === undefined ? after : `${before} → ${after}`}</bdi>
          </span>
        ))}
      </td>
    </tr>
  )
}

interface Change {
  readonly name: string
  readonly before?: string
  readonly after?: string
}

/** The names that either side has, each with its value before and after the change. */
function changesOf(
  { before, after }: Pick<Row, 'before' | 'after'>,
  textOf: (name: string, value: string) => string,
): readonly Change[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    name,
    ...(name in was && { before: textOf(name, String(was[name])) }),
    ...(name in is && { after: textOf(name, String(is[name])) }),
  }))
}

function valuesOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const values: unknown = JSON.parse(json)
    return typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
