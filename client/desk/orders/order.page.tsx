import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { isCallProblem } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { durationText } from '#shared/platform/duration.ts'
import { firstAct, isAct, offeredActs } from '../actions/actions.rules.ts'
import { ActionsMenu, type ActionsMenuProps } from '../actions/actions-menu.tsx'
import { NoteField } from '../actions/note-field.tsx'
import { useKeys } from '../keys.ts'
import { Mark } from '../mark.tsx'
import { useMinute } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { claimPath, type DeskPageProps, narrow, orderPath, searchPath, workPath } from '../pages.ts'
import { RecordHead } from '../record-head.tsx'
import { Loaded, Unknown } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import { Holder } from '../work/holder.tsx'
import { useRowActs } from '../work/row-acts.tsx'
import { useWorkOf } from '../work/work.queries.ts'
import { colleagueOf } from '../work/work.rules.ts'
import { moneyOf } from './money.rules.ts'
import styles from './order.module.css'
import { OrderAside } from './order-aside.tsx'
import type { FromList } from './order-rows.tsx'
import { useDeskOrder } from './orders.queries.ts'
import { alarmOf, deadlinesOf, nextStepsOf } from './timeline.rules.ts'
import { Timeline } from './timeline.tsx'
import { useDeadlineText } from './use-deadline-text.ts'

const ActionDialog = lazy(async () => ({
  default: (await import('../actions/action-dialog.tsx')).ActionDialog,
}))
const AsideDrawer = lazy(async () => ({ default: (await import('./aside-drawer.tsx')).AsideDrawer }))

/** All of an order: what is true now in its head, what has happened in its timeline. */
export function OrderPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-orders')
  const { ref = '' } = useParams()
  const { search, state } = useLocation()
  const query = useDeskOrder(ref)
  const { data: order, error } = query
  useTitle(order ? orderNumber(order.orderId) : t('order.title'))
  if (order === undefined && isCallProblem(error) && error.status === 404)
    return <Unknown title={t('order.unknown')} to={searchPath} link={t('order.toSearch')} />
  return (
    <Loaded query={query} failed={t('order.failed')}>
      {(known) =>
        ref === String(known.orderId) ? (
          <Whole key={known.orderId} order={known} staff={staff} />
        ) : (
          // News, and what is done, find the order by its number.
          <Navigate to={{ pathname: orderPath(known.orderId), search }} state={state} replace />
        )
      }
    </Loaded>
  )
}

interface WholeProps {
  readonly order: DeskOrder
  /** The signed-in person. */
  readonly staff: StaffSession
}

/** What is being done is in the address: signing in again on the way comes back to it. */
function useAct() {
  const [address, setAddress] = useSearchParams()
  const { state } = useLocation()
  const set = (act: string | undefined) =>
    setAddress(act === undefined ? {} : { act }, { replace: true, state })
  return [address.get('act'), set] as const
}

function Whole({ order, staff }: WholeProps) {
  const { t } = useTranslation('desk-orders')
  const isNarrow = useMediaQuery(narrow)
  const [isOpen, setIsOpen] = useState(false)
  const [act, setAct] = useAct()
  const rows = useWorkOf(order.orderId).data?.ofOrder ?? []
  const aside = <OrderAside order={order} rows={rows} by={staff.name} />
  return (
    <>
      <Head order={order} rows={rows}>
        {isNarrow ? <Button onClick={() => setIsOpen(true)}>{t('order.aside')}</Button> : null}
        <ActionsMenu order={order} roles={staff.roles} onAct={setAct} />
        <FirstAct order={order} rows={rows} roles={staff.roles} onAct={setAct} />
      </Head>
      <Holders rows={rows} by={staff.name} />
      <div className={`${pageStyles.columns} ${styles.columns}`}>
        <Timeline lines={order.timeline}>
          <NoteField orderId={order.orderId} by={staff.name} isAsked={act === 'note'} />
        </Timeline>
        {isNarrow ? (
          <Suspense fallback={null}>
            {isOpen ? (
              <AsideDrawer title={t('order.aside')} onClose={() => setIsOpen(false)}>
                {aside}
              </AsideDrawer>
            ) : null}
          </Suspense>
        ) : (
          <aside aria-label={t('order.aside')}>{aside}</aside>
        )}
      </div>
      <Suspense fallback={null}>
        {isAct(act) ? (
          <ActionDialog
            act={act}
            order={order}
            by={staff.name}
            colleague={colleagueOf(rows)}
            onClose={() => setAct(undefined)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

interface FirstActProps extends ActionsMenuProps {
  readonly rows: readonly WorkRow[]
}

/** The one filled button of the page: an open claim waits for its answer, else what takes the order off its list. */
function FirstAct({ order, rows, roles, onAct }: FirstActProps) {
  const { t } = useTranslation(['desk-orders', 'desk-actions'])
  const navigate = useNavigate()
  const now = useMinute()
  const isOffline = useConnection() === 'offline'
  const claim = rows.find(({ kind }) => kind === 'claims')
  if (claim !== undefined)
    return (
      <Button type="primary" onClick={() => void navigate(claimPath(claim.id))}>
        {t('order.answer', { number: claimNumber(Number(claim.id)) })}
      </Button>
    )
  const act = firstAct(rows, offeredActs(order, roles, now))
  if (act === undefined) return null
  return (
    <Button type="primary" disabled={isOffline} onClick={() => onAct(act)}>
      {t(`desk-actions:act.${act}.open`)}
    </Button>
  )
}

/** In which work lists the order stands, and who has it there. */
function Holders({ rows, by }: { readonly rows: readonly WorkRow[]; readonly by: string }) {
  const now = useMinute()
  const acts = useRowActs(rows, by)
  const own = rows.find(({ taken }) => taken?.isYou)
  const first = own ?? rows[0]
  useKeys({
    t: () => {
      const free = rows.find(({ taken }) => taken?.isYou !== true)
      if (free) acts.take(free)
    },
    r: () => own && acts.release(own),
    h: () => first && acts.hand(first),
  })
  return (
    <div className={styles.holders}>
      {rows.map((row) => (
        <div key={`${row.kind} ${row.id}`} className={styles.holder}>
          <b>{row.text}</b>
          <Holder row={row} now={now} acts={acts} />
        </div>
      ))}
      {acts.parts}
    </div>
  )
}

interface HeadProps {
  readonly order: DeskOrder
  readonly rows: readonly WorkRow[]
  readonly children: ReactNode
}

function Head({ order, rows, children }: HeadProps) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  const alarm = alarmOf(order, now)
  const states = new Set(order.bookings.flatMap(({ state }) => state ?? []))
  const { onItsWayBack } = moneyOf(order)
  const isLabelLate = deadlinesOf(order, rows).some(({ kind, at }) => kind === 'label' && at < now)
  return (
    <RecordHead
      city={order.bookings.at(-1)?.destination.city}
      above={<Place orderId={order.orderId} />}
      number={orderNumber(order.orderId)}
      marks={
        <>
          <StatusBadge status={order.status} />
          <Mark tone="plain">{formatMoney(order.amountHalalas, language)}</Mark>
          {[...states].map((state) => (
            <Mark key={state} tone="note">
              {t(`bag.${state}`)}
            </Mark>
          ))}
          {onItsWayBack === 0 ? null : (
            <Mark tone="waiting" icon="back">
              {`${t('money.onItsWayBack')} ${formatMoney(onItsWayBack, language)}`}
            </Mark>
          )}
          {isLabelLate && alarm === undefined ? (
            <Mark tone="bad" icon="alert">
              {t('order.labelLate')}
            </Mark>
          ) : null}
          {alarm === undefined ? null : (
            <Mark tone="bad" icon="alert">
              {'silentMs' in alarm
                ? t('order.silent', { time: durationText(alarm.silentMs, language) })
                : alarm.text}
            </Mark>
          )}
          <NextMark order={order} rows={rows} />
        </>
      }
    >
      {children}
    </RecordHead>
  )
}

/** What is to happen next, and by when something is. */
function NextMark({ order, rows }: Omit<HeadProps, 'children'>) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  const textOf = useDeadlineText()
  const steps = nextStepsOf(order).map((step) => t(`expected.${step}`))
  // Of a silent bag the alarm says more.
  const soonest = deadlinesOf(order, rows).find(({ kind, at }) => kind !== 'news' || at > now)
  const { isPassed = false, what, when } = soonest ? textOf(soonest) : {}
  const parts = [
    ...(steps.length === 0 ? [] : [t('order.next', { steps: new Intl.ListFormat(language).format(steps) })]),
    ...(soonest ? [`${what} ${when}`] : []),
  ]
  if (parts.length === 0) return null
  return (
    <Mark tone={isPassed ? 'bad' : 'plain'} icon="clock">
      {parts.join(' · ')}
    </Mark>
  )
}

/** Where the order stands in the list that it was opened from; K and J lead on. */
function Place({ orderId }: Pick<DeskOrder, 'orderId'>) {
  const { t } = useTranslation('desk-orders')
  const navigate = useNavigate()
  const { state } = useLocation()
  const { t: desk } = useTranslation('desk')
  const { ids = [], kind } = (state ?? {}) as Partial<FromList>
  const at = ids.indexOf(orderId)
  const go = (by: 1 | -1) => {
    const next = at < 0 ? undefined : ids[at + by]
    if (next !== undefined) void navigate(orderPath(next), { state, replace: true })
  }
  useKeys({ j: () => go(1), k: () => go(-1) })
  if (ids.length < 2 || at < 0) return null
  return (
    <p className={pageStyles.small}>
      {kind === undefined ? null : (
        <span>
          <Link to={workPath(kind)}>{desk(`menuOf.${kind}`)}</Link> ·{' '}
        </span>
      )}
      <span>{t('order.place', { number: at + 1, total: ids.length })}</span> <kbd>K</kbd> <kbd>J</kbd>
    </p>
  )
}
