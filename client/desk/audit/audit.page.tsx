import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { Ltr } from '#client/ui/ltr.tsx'
import type { AuditFilter, AuditPage as AuditRows } from '#shared/audit/audit.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { Labelled } from '../labelled.tsx'
import { Moment } from '../moment.tsx'
import filters from '../orders/orders.module.css'
import table from '../orders/rows.module.css'
import { auditPath, orderPath, personPath } from '../pages.ts'
import { Loaded } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import styles from './audit.module.css'
import { useAudit } from './audit.queries.ts'

const names = ['person', 'order', 'user', 'action'] as const
type Name = (typeof names)[number]

/** What the address asks for; the server refuses what it does not know. */
function queryIn(address: URLSearchParams): AuditFilter {
  const given = [...names, 'cursor'].map((name) => [name, address.get(name)?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** Who looked at or changed what, the newest first. */
export function AuditPage() {
  const { t } = useTranslation('desk-audit')
  const [address] = useSearchParams()
  const query = queryIn(address)
  const audit = useAudit(query)
  useTitle(t('title'))
  const { cursor, ...filtered } = query
  const at = (more: Readonly<Record<string, string>>) => ({
    pathname: auditPath,
    search: `?${new URLSearchParams({ ...filtered, ...more })}`,
  })
  return (
    <>
      <h1>{t('title')}</h1>
      <Filters />
      <Loaded query={audit} failed={t('failed')}>
        {({ rows }) => (rows.length === 0 ? <p>{t('empty')}</p> : <Table rows={rows} />)}
      </Loaded>
      <nav className={filters.pages} aria-label={t('pages')}>
        {cursor === undefined ? null : <Link to={at({})}>{t('first')}</Link>}
        {audit.data?.nextCursor == null ? null : (
          <Link to={at({ cursor: audit.data.nextCursor })}>{t('next')}</Link>
        )}
      </nav>
    </>
  )
}

/** A text counts with Enter or when the field is left. */
function Filters() {
  const { t } = useTranslation('desk-audit')
  const [address, setAddress] = useSearchParams()
  const set = (name: Name, value: string) => {
    if (value === (address.get(name) ?? '')) return
    setAddress((before) => {
      const after = new URLSearchParams(before)
      after.delete('cursor')
      if (value === '') after.delete(name)
      else after.set(name, value)
      return after
    })
  }
  return (
    <section className={filters.filters} aria-label={t('filters')}>
      {names.map((name) => (
        <Labelled key={name} className={filters.filter} text={t(`filter.${name}`)}>
          <input
            // A filter that was taken away in the address is empty here too.
            key={address.get(name) ?? ''}
            maxLength={255}
            dir="ltr"
            inputMode={name === 'order' || name === 'user' ? 'numeric' : 'text'}
            defaultValue={address.get(name) ?? ''}
            onBlur={({ target }) => set(name, target.value.trim())}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && set(name, currentTarget.value.trim())}
          />
        </Labelled>
      ))}
      {names.some((name) => address.has(name)) ? (
        <Button type="link" onClick={() => setAddress({})}>
          {t('clear')}
        </Button>
      ) : null}
    </section>
  )
}

type Row = AuditRows['rows'][number]

function Table({ rows }: { readonly rows: readonly Row[] }) {
  const { t } = useTranslation('desk-audit')
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            {(['at', 'by', 'action', 'about', 'reason', 'change'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <AuditRow key={row.number} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AuditRow({ row }: { readonly row: Row }) {
  const { t } = useTranslation('desk-audit')
  const { at, by, person, action, orderId, userId, about, reason } = row
  const to = (name: Name, value: string) => `${auditPath}?${new URLSearchParams({ [name]: value })}`
  return (
    <tr>
      <th scope="row" className={styles.at}>
        <Moment at={at} />
      </th>
      <td>{person === null ? <bdi>{by}</bdi> : <Link to={to('person', person)}>{by}</Link>}</td>
      <td>
        <Link to={to('action', action)}>
          <Ltr>{action}</Ltr>
        </Link>
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
            <bdi>{about}</bdi>
          </span>
        )}
      </td>
      <td>
        <bdi>{reason}</bdi>
      </td>
      <td className={styles.change}>
        {changesOf(row).map(({ name, before, after }) => (
          <span key={name} dir="ltr">
            {name}: {before === undefined ? '' : `${before} → `}
            {after ?? '–'}
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

/** Of two sets of names and values what is on either side. */
function changesOf({ before, after }: Pick<Row, 'before' | 'after'>): readonly Change[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    name,
    ...(name in was && { before: String(was[name]) }),
    ...(name in is && { after: String(is[name]) }),
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
