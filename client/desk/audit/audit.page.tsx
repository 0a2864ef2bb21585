import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { AuditFilter, AuditPage as AuditRows } from '#shared/desk/audit/audit.api.ts'
import { listAudit } from '#shared/desk/audit/audit.operations.ts'
import { orderNumber, readOrderNumber } from '#shared/orders/order-number.ts'
import { useStaffName } from '../by.tsx'
import { ChoiceFilter, FilterBar, Pages, TextFilter, useFilters } from '../filters.tsx'
import { isolated } from '../isolated.ts'
import { ListTable } from '../list-table.tsx'
import { Moment } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { PageHead } from '../page-head.tsx'
import { auditPath, orderPath, personPath } from '../pages.ts'
import { Loaded } from '../states.tsx'
import styles from './audit.module.css'
import { auditActions, useAuditWords } from './audit-words.ts'

const names = ['person', 'order', 'user', 'action'] as const

/** Accepts an order number as its page shows it, or its digits alone. */
const withOrder = ({ order, ...query }: AuditFilter): AuditFilter =>
  order === undefined ? query : { ...query, order: String(readOrderNumber(order)?.id ?? order) }

const to = (name: (typeof names)[number], value: string) =>
  `${auditPath}?${new URLSearchParams({ [name]: value })}`

/** The audit: every page view and every change by operators, the newest first. */
export function AuditPage() {
  const { t } = useTranslation('desk-audit')
  const filters = useFilters<AuditFilter>(names)
  const query = withOrder(filters.query)
  const audit = useQuery({
    queryKey: [...operationKey(listAudit), query],
    queryFn: ({ signal }) => call(listAudit, { query, signal }),
    // The old rows stay on screen until the new ones arrive.
    placeholderData: keepPreviousData,
  })
  const language = useLanguage()
  const staffName = useStaffName()
  const { actionName, aboutText, reasonText, changeName, valueText } = useAuditWords()
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
        {({ rows }) => (
          <ListTable
            title={t('title')}
            isTitleHidden
            rowKey="number"
            dataSource={rows}
            locale={{ emptyText: t('empty') }}
            columns={[
              {
                title: t('column.at'),
                className: styles.at ?? '',
                render: (_, { at }) => <Moment at={at} />,
              },
              {
                title: t('column.by'),
                render(_, { by, roles, person }) {
                  const name = staffName(by, roles)
                  return person === null ? name : <Link to={to('person', person)}>{name}</Link>
                },
              },
              {
                title: t('column.action'),
                render: (_, { action }) => <Link to={to('action', action)}>{actionName(action)}</Link>,
              },
              {
                title: t('column.about'),
                className: styles.lines ?? '',
                render: (_, { orderId, userId, about, action }) => (
                  <>
                    {orderId === null ? null : (
                      <Link to={orderPath(orderId)}>
                        <Ltr>{orderNumber(orderId)}</Ltr>
                      </Link>
                    )}
                    {userId === null ? null : <Link to={personPath(userId)}>{t('user', { userId })}</Link>}
                    {about === null ? null : <bdi>{aboutText(about, action)}</bdi>}
                  </>
                ),
              },
              {
                title: t('column.reason'),
                render: (_, { reason }) => <bdi>{reason === null ? null : reasonText(reason)}</bdi>,
              },
              {
                title: t('column.change'),
                className: `${pageStyles.small} ${styles.lines} ${styles.change}`,
                render: (_, row) =>
                  changesOf(row).map(({ name, before, after }) => (
                    <span key={name}>
                      <span>{`${isolated(changeName(name))}:`}</span>{' '}
                      <bdi dir="ltr">
                        {[before, after]
                          .filter((value, at) => at === 1 || value !== undefined)
                          .map((value) => (value === undefined ? '–' : valueText(name, value)))
                          .join(' → ')}
                      </bdi>
                    </span>
                  )),
              },
            ]}
          />
        )}
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

/** The changed fields, each with its value before and after the change. */
function changesOf({ before, after }: Pick<AuditRows['rows'][number], 'before' | 'after'>) {
  const was = valuesOf(before)
  const is = valuesOf(after)
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].map((name) => ({ name, before: was[name], after: is[name] }))
}

/** The values of a stored object, as texts. */
function valuesOf(json: string): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(json)).map(([name, value]) => [name, String(value)]))
  } catch {
    return {}
  }
}
