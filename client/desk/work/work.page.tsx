import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link, Navigate, useParams } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { WorkFilter, WorkOverview, WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { durationText } from '#shared/platform/duration.ts'
import { Card } from '../card.tsx'
import { isolated } from '../isolated.ts'
import { focusedRow, useKeys, useRowKeys } from '../keys.ts'
import { Letter } from '../letter.tsx'
import { useMinute } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { type DeskPageProps, orderPath, searchPath, workPath } from '../pages.ts'
import { NotFound } from '../signed-out.tsx'
import { Loaded, LoadFailed } from '../states.tsx'
import { dayInWords, formatAgo, timeInRiyadh } from '../times.ts'
import { useTitle } from '../use-title.ts'
import { useRowActs } from './row-acts.tsx'
import { nameOf, placeOf } from './row-place.ts'
import styles from './work.module.css'
import { useWork, useWorkRows } from './work.queries.ts'
import { firstPlace, isWorkKind, nextList, type WorkPageKind } from './work.rules.ts'
import { WorkRows } from './work-rows.tsx'

/** A list of what waits for a person; without a name the one that this person's day begins with. */
export function WorkPage({ staff }: DeskPageProps) {
  const { kind } = useParams()
  if (isWorkKind(kind)) return <Work key={kind} kind={kind} staff={staff} />
  return kind === undefined ? <First staff={staff} /> : <NotFound />
}

function First({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-work')
  const work = useWork()
  useTitle(t('title'))
  // Who has pressed the key of search meanwhile, whose page may be on its way, is not led back.
  const isSearching = window.location.pathname.endsWith(searchPath)
  const lead = (lists: WorkOverview['lists']) =>
    isSearching ? null : <Navigate replace to={workPath(firstPlace(lists, staff.roles))} />
  // Only a lead goes by the lists.
  if (!staff.roles.includes('lead')) return lead([])
  return (
    <Loaded query={work} failed={t('failed')}>
      {({ lists }) => lead(lists)}
    </Loaded>
  )
}

const shows = ['all', 'free', 'mine'] as const

function Work({ kind, staff }: DeskPageProps & { readonly kind: WorkPageKind }) {
  const by = staff.name
  const { t } = useTranslation('desk-work')
  const { t: desk } = useTranslation('desk')
  const name = desk(`menuOf.${kind}`)
  useTitle(name)
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
  const acts = useRowActs(rows ?? [], by)
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
      <Head title={name} rule={t(`rule.${kind}`)}>
        {rows === undefined ? null : (
          <Shown counts={counts} whose={whose} onChange={setWhose} updatedAt={query.dataUpdatedAt} />
        )}
      </Head>
      <LoadFailed query={query} text={t('failed')} />
      {acts.parts}
      <div className={`${pageStyles.columns} ${styles.columns}`}>
        <div className={styles.list}>
          <Loaded query={query}>
            {(shown) => (
              <>
                {shown.length > 0 ? <WorkRows {...{ title: name, kind, rows: shown, acts, staff }} /> : null}
                <After
                  kind={kind}
                  shown={shown.length}
                  count={counts[whose ?? 'all'] ?? shown.length}
                  overview={overview}
                />
                <KeyHints />
              </>
            )}
          </Loaded>
        </div>
        {overview ? <Beside overview={overview} by={by} /> : null}
      </div>
    </>
  )
}

interface HeadProps {
  readonly title: string
  readonly rule: string
  readonly children: ReactNode
}

const Head = ({ title, rule, children }: HeadProps) => (
  <header className={styles.head}>
    <div>
      <h1>{title}</h1>
      <p className={pageStyles.small}>{rule}</p>
    </div>
    {children}
  </header>
)

interface ShownProps {
  readonly counts: Readonly<Record<(typeof shows)[number], number | undefined>>
  readonly whose: WorkFilter['whose']
  readonly onChange: (whose: WorkFilter['whose']) => void
  readonly updatedAt: number
}

/** Whose rows are shown, and as of when. */
function Shown({ counts, whose, onChange, updatedAt }: ShownProps) {
  const { t } = useTranslation('desk-work')
  return (
    <>
      <span className={pageStyles.small}>{t('updated', { time: timeInRiyadh(updatedAt) })}</span>
      <Segmented
        aria-label={t('show')}
        value={whose ?? 'all'}
        onChange={(value: (typeof shows)[number]) => onChange(value === 'all' ? undefined : value)}
        options={shows.map((value) => ({ value, label: `${t(`showOf.${value}`)} ${counts[value] ?? ''}` }))}
      />
    </>
  )
}

interface AfterProps {
  readonly kind: WorkKind
  readonly shown: number
  readonly count: number
  readonly overview: WorkOverview | undefined
}

/** Whether that was all, and where to go on. */
function After({ kind, shown, count, overview }: AfterProps) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  const next = overview && nextList(overview.lists, kind)
  const all = count > shown ? t('first', { shown, count }) : t('all')
  const due = next?.nextDueAt == null ? undefined : Date.parse(next.nextDueAt)
  const which = next?.count === 1 ? 'only' : 'oldest'
  return (
    <p className={pageStyles.small}>
      <span>{shown === 0 ? t('empty') : all}</span>{' '}
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
                : // The end of a day is the first moment of the next.
                  t(`dueOf.${which}`, { day: dayInWords(due - 1, now, language) })}
          </span>
        </span>
      )}
    </p>
  )
}

const hints = [
  { keys: ['J', 'K'], does: 'move' },
  { keys: ['↵'], does: 'open' },
  { keys: ['T'], does: 'take' },
  { keys: ['R'], does: 'release' },
  { keys: ['H'], does: 'hand' },
  { keys: ['?'], does: 'all' },
] as const

function KeyHints() {
  const { t } = useTranslation('desk')
  return (
    <p className={styles.keys}>
      {hints.map(({ keys, does }) => (
        <span key={does}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          <span>{t(`keys.${does}`)}</span>
        </span>
      ))}
    </p>
  )
}

interface BesideProps {
  readonly overview: WorkOverview
  readonly by: string
}

/** What the person has, what was handed to them, what was refused to them, and who is at the desk. */
function Beside({ overview: { mine, colleagues, refused }, by }: BesideProps) {
  const { t } = useTranslation('desk-work')
  const handed = mine.filter(({ taken }) => taken?.handedBy != null)
  const own = mine.filter((row) => !handed.includes(row))
  return (
    <aside className={styles.beside} aria-label={t('beside')}>
      <Card title={t('mine')} action={<span className={styles.number}>{own.length}</span>}>
        <Mine rows={own} />
        {own.length === 0 ? <p className={pageStyles.small}>{t('mineNone')}</p> : null}
      </Card>
      {handed.length === 0 ? null : (
        <Card title={t('handed')}>
          <Mine rows={handed} />
        </Card>
      )}
      {refused.length === 0 ? null : (
        <Card title={t('refused')}>
          <Refused wishes={refused} />
        </Card>
      )}
      <Card title={t('here')}>
        <ul className={styles.people}>
          <li>
            <Letter name={by} isYou />
            <span>{t('you', { name: isolated(by) })}</span>
            <span>{mine.length}</span>
          </li>
          {colleagues.map(({ id, name, has }) => (
            <li key={id}>
              <Letter name={name} />
              <bdi>{name}</bdi>
              <span>{has}</span>
            </li>
          ))}
        </ul>
      </Card>
    </aside>
  )
}

function Mine({ rows }: { readonly rows: readonly WorkRow[] }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  return (
    <ul className={styles.mine}>
      {rows.map((row) => (
        <li key={`${row.kind} ${row.id}`}>
          <Link className={styles.link} to={placeOf(row)}>
            <bdi>{nameOf(row) ?? t('noOrder')}</bdi>
          </Link>{' '}
          <span>{row.text}</span>
          {row.taken?.handedBy == null ? null : (
            <>
              <span className={styles.from}>{t('from', { name: isolated(row.taken.handedBy) })}</span>
              <q dir="auto">{row.taken.note}</q>
            </>
          )}
          <span className={pageStyles.small}>
            {formatAgo(now - Date.parse(row.taken?.since ?? row.since), language)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Refused({ wishes }: { readonly wishes: WorkOverview['refused'] }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  return (
    <ul className={styles.mine}>
      {wishes.map(({ approvalId, orderId, text, by, at, note }) => (
        <li key={approvalId}>
          {orderId === null ? null : (
            <Link className={styles.link} to={orderPath(orderId)}>
              <bdi>{orderNumber(orderId)}</bdi>
            </Link>
          )}{' '}
          <span>{text}</span>
          <span className={styles.from}>{t('from', { name: isolated(by) })}</span>
          <q dir="auto">{note}</q>
          <span className={pageStyles.small}>{formatAgo(now - Date.parse(at), language)}</span>
        </li>
      ))}
    </ul>
  )
}
