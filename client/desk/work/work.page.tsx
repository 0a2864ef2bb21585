import { Badge, Flex, Segmented } from 'antd'
import { useState } from 'react'
import { Link, Navigate, useParams } from 'react-router-dom'
import { formatAgo, formatDayInWords, formatTime } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import layout from '#client/ui/layout.module.css'
import type { WorkFilter, WorkOverview, WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { durationText } from '#shared/platform/duration.ts'
import { Card } from '../card.tsx'
import { isolated } from '../isolated.ts'
import { focusedRow, useKeys, useRowKeys } from '../keys.ts'
import { Letter } from '../letter.tsx'
import { useMinute } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { PageHead } from '../page-head.tsx'
import { type DeskPageProps, orderPath, searchPath, workPath } from '../pages.ts'
import { Loaded, LoadFailed, NotFound } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import { useRowActs } from './row-acts.tsx'
import { nameOf, placeOf } from './row-place.ts'
import styles from './work.module.css'
import { useWork, useWorkRows } from './work.queries.ts'
import { firstPlace, isWorkKind, nextList, type WorkPageKind } from './work.rules.ts'
import { WorkRows } from './work-rows.tsx'

/** A work list. Without a name in the address, it is the first list for this operator's roles. */
export function WorkPage({ staff }: DeskPageProps) {
  const { kind } = useParams()
  if (isWorkKind(kind)) return <Work key={kind} kind={kind} staff={staff} />
  return kind === undefined ? <First staff={staff} /> : <NotFound />
}

function First({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-work')
  const work = useWork()
  useTitle(t('title'))
  // When the operator has opened the search meanwhile, it stays open.
  const isSearching = window.location.pathname.endsWith(searchPath)
  const lead = (lists: WorkOverview['lists']) =>
    isSearching ? null : <Navigate replace to={workPath(firstPlace(lists, staff.roles))} />
  // Only a lead's first list depends on the counts.
  if (!staff.roles.includes('lead')) return lead([])
  return (
    <Loaded query={work} failed={t('failed')}>
      {({ lists }) => lead(lists)}
    </Loaded>
  )
}

const shows = ['all', 'free', 'mine'] as const
const hints = ['move', 'open', 'take', 'release', 'hand', 'all'] as const
const keysOf = {
  move: ['J', 'K'],
  open: ['↵'],
  take: ['T'],
  release: ['R'],
  hand: ['H'],
  all: ['?'],
} as const

function Work({ kind, staff }: DeskPageProps & { kind: WorkPageKind }) {
  const { t } = useTranslation(['desk-work', 'desk'])
  const language = useLanguage()
  const name = t(`desk:menuOf.${kind}`)
  const [whose, setWhose] = useState<WorkFilter['whose']>()
  const query = useWorkRows(kind, whose)
  const rows = query.data
  const { data: overview } = useWork()
  const list = overview?.lists.find((each) => each.kind === kind)
  const counts = {
    all: list?.count,
    free: list?.free,
    mine: overview?.mine.filter((row) => row.kind === kind).length,
  }
  const acts = useRowActs(rows ?? [], staff.name)
  useRowKeys()
  const onFocused = (act: (row: WorkRow) => void) => () => {
    const row = rows?.find(({ id }) => `${kind} ${id}` === focusedRow())
    if (row) act(row)
  }
  useKeys({
    t: onFocused(acts.take),
    r: onFocused((row) => row.taken?.isYou && acts.release(row)),
    h: onFocused(acts.hand),
  })
  return (
    <>
      <PageHead title={name} rule={t(`rule.${kind}`)}>
        {rows === undefined ? null : (
          <Flex wrap align="center" gap="small">
            <span className={pageStyles.small}>
              {t('updated', { time: formatTime(query.dataUpdatedAt, language) })}
            </span>
            <Segmented
              aria-label={t('show')}
              value={whose ?? 'all'}
              onChange={(value: (typeof shows)[number]) => setWhose(value === 'all' ? undefined : value)}
              options={shows.map((value) => ({
                value,
                label: `${t(`showOf.${value}`)} ${counts[value] ?? ''}`,
              }))}
            />
          </Flex>
        )}
      </PageHead>
      <LoadFailed query={query} text={t('failed')} />
      {acts.parts}
      <Flex vertical gap="middle" className={styles.columns}>
        <Flex vertical gap="small">
          <Loaded query={query}>
            {(shown) => (
              <>
                {shown.length > 0 ? (
                  <WorkRows title={name} kind={kind} rows={shown} acts={acts} staff={staff} />
                ) : null}
                <After
                  kind={kind}
                  shown={shown.length}
                  count={counts[whose ?? 'all'] ?? shown.length}
                  lists={overview?.lists ?? []}
                />
                <Flex component="p" wrap gap="4px 16px" className={`${pageStyles.small} ${styles.keys}`}>
                  {hints.map((does) => (
                    <span key={does}>
                      {keysOf[does].map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                      <span>{t(`desk:keys.${does}`)}</span>
                    </span>
                  ))}
                </Flex>
              </>
            )}
          </Loaded>
        </Flex>
        {overview ? <Beside overview={overview} by={staff.name} /> : null}
      </Flex>
    </>
  )
}

interface AfterProps {
  kind: WorkPageKind
  shown: number
  count: number
  lists: WorkOverview['lists']
}

/** Says whether the list is complete, and links to the next list. */
function After({ kind, shown, count, lists }: AfterProps) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  const next = nextList(lists, kind)
  const due = next?.nextDueAt == null ? undefined : Date.parse(next.nextDueAt)
  const which = next?.count === 1 ? 'only' : 'oldest'
  return (
    <p className={pageStyles.small}>
      <span>{shown === 0 ? t('empty') : count > shown ? t('first', { shown, count }) : t('all')}</span>{' '}
      {next === undefined ? null : (
        <span>
          {t('next')}{' '}
          <Link className={styles.link} to={workPath(next.kind)}>
            {t(`nextOf.${next.kind}`, { count: next.count })}
          </Link>
          <span>
            {due === undefined
              ? null
              : due < now
                ? t(`lateOf.${which}`, { time: durationText(now - due, language) })
                : // A day ends at midnight, which already belongs to the next day.
                  t(`dueOf.${which}`, { day: formatDayInWords(due - 1, now, language) })}
          </span>
        </span>
      )}
    </p>
  )
}

/** The operator's rows, hand-overs and refused requests, and the colleagues at the desk. */
function Beside({ overview, by }: { overview: WorkOverview; by: string }) {
  const { t } = useTranslation('desk-work')
  const { mine, colleagues, refused } = overview
  const items = mine.map((row) => ({
    id: `${row.kind} ${row.id}`,
    name: nameOf(row) ?? t('noOrder'),
    to: placeOf(row),
    text: row.text,
    from: row.taken?.handedBy ?? null,
    note: row.taken?.note ?? null,
    at: row.taken?.since ?? row.since,
  }))
  const own = items.filter(({ from }) => from === null)
  const handed = items.filter(({ from }) => from !== null)
  return (
    <aside className={`${layout.grid} ${layout.gap2} ${styles.beside}`} aria-label={t('beside')}>
      <Card title={t('mine')} action={<Badge showZero color="var(--muted)" count={own.length} />}>
        {own.length === 0 ? <p className={pageStyles.small}>{t('mineNone')}</p> : <Items items={own} />}
      </Card>
      {handed.length === 0 ? null : (
        <Card title={t('handed')}>
          <Items items={handed} />
        </Card>
      )}
      {refused.length === 0 ? null : (
        <Card title={t('refused')}>
          <Items
            items={refused.map(({ approvalId, orderId, text, by: from, note, at }) => ({
              id: String(approvalId),
              text,
              from,
              note,
              at,
              ...(orderId !== null && { name: orderNumber(orderId), to: orderPath(orderId) }),
            }))}
          />
        </Card>
      )}
      <Card title={t('here')}>
        <Flex component="ul" vertical gap="small">
          <Flex component="li" justify="space-between">
            <Letter name={by} isYou>
              {t('you', { name: isolated(by) })}
            </Letter>
            <span className={pageStyles.small}>{mine.length}</span>
          </Flex>
          {colleagues.map(({ id, name, has }) => (
            <Flex key={id} component="li" justify="space-between">
              <Letter name={name}>
                <bdi>{name}</bdi>
              </Letter>
              <span className={pageStyles.small}>{has}</span>
            </Flex>
          ))}
        </Flex>
      </Card>
    </aside>
  )
}

interface Item {
  id: string
  name?: string
  to?: string
  text: string
  /** The colleague who handed the row over or refused the request, with a note. */
  from: string | null
  note: string | null
  at: string
}

function Items({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  return (
    <ul className={pageStyles.rows}>
      {items.map(({ id, name, to, text, from, note, at }) => (
        <li key={id}>
          {to === undefined ? null : (
            <Link className={styles.link} to={to}>
              <bdi>{name}</bdi>
            </Link>
          )}{' '}
          <span>{text}</span>
          {from === null ? null : (
            <>
              <div>{t('from', { name: isolated(from) })}</div>
              <q dir="auto">{note}</q>
            </>
          )}
          <div className={pageStyles.small}>{formatAgo(now - Date.parse(at), language)}</div>
        </li>
      ))}
    </ul>
  )
}
