import { Button, Flex } from 'antd'
import { lazy, Suspense } from 'react'
import { Link, Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
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
import { type Act, firstAct, isAct, offeredActs } from '../actions/actions.rules.ts'
import { ActionsMenu } from '../actions/actions-menu.tsx'
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
import { Say } from './say.tsx'
import { alarmOf, deadlinesOf, nextStepsOf } from './timeline.rules.ts'
import { Timeline } from './timeline.tsx'
import { useDeadlineText } from './use-deadline-text.ts'

const ActionDialog = lazy(async () => ({
  default: (await import('../actions/action-dialog.tsx')).ActionDialog,
}))

/** An order: its state in the head, its history in the timeline. */
export function OrderPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-orders')
  const { ref = '' } = useParams()
  const { search, state } = useLocation()
  const query = useDeskOrder(ref)
  const { data: order } = query
  useTitle(order ? orderNumber(order.orderId) : t('order.title'))
  return (
    <Loaded
      query={query}
      failed={t('order.failed')}
      unknown={<Unknown title={t('order.unknown')} to={searchPath} link={t('order.toSearch')} />}
    >
      {(known) =>
        ref === String(known.orderId) ? (
          <Whole key={known.orderId} order={known} staff={staff} />
        ) : (
          // Events and acts need the order's number in the address.
          <Navigate to={{ pathname: orderPath(known.orderId), search }} state={state} replace />
        )
      }
    </Loaded>
  )
}

/** The act is in the address, so that the operator comes back to it after another sign-in. */
function useAct() {
  const [address, setAddress] = useSearchParams()
  const { state } = useLocation()
  const set = (act: string | undefined) =>
    setAddress(act === undefined ? {} : { act }, { replace: true, state })
  return [address.get('act'), set] as const
}

function Whole({ order, staff }: { order: DeskOrder; staff: StaffSession }) {
  const { t } = useTranslation('desk-orders')
  const isNarrow = useMediaQuery(narrow)
  const [act, setAct] = useAct()
  const rows = useWorkOf(order.orderId).data?.ofOrder ?? []
  const next = useNextText(order, rows)
  const aside = (
    <aside aria-label={t('order.aside')}>
      <OrderAside order={order} rows={rows} by={staff.name} />
    </aside>
  )
  return (
    <>
      <Head order={order} rows={rows} />
      <Say order={order} next={next} />
      <Flex wrap align="center" gap="small">
        <FirstAct order={order} rows={rows} roles={staff.roles} onAct={setAct} />
        <ActionsMenu order={order} roles={staff.roles} onAct={setAct} />
      </Flex>
      <Holders rows={rows} by={staff.name} />
      <Flex vertical gap="middle" className={styles.columns}>
        {isNarrow ? aside : null}
        <Timeline lines={order.timeline}>
          <NoteField orderId={order.orderId} by={staff.name} isAsked={act === 'note'} />
        </Timeline>
        {isNarrow ? null : aside}
      </Flex>
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

interface FirstActProps {
  order: DeskOrder
  rows: readonly WorkRow[]
  roles: StaffSession['roles']
  onAct: (act: Act) => void
}

/** The one filled button of the page: it answers an open claim, or else takes the order off its list. */
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

/** The work lists that contain the order, and who has it there. */
function Holders({ rows, by }: { rows: readonly WorkRow[]; by: string }) {
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
    <Flex wrap align="center" gap="small">
      {rows.map((row) => (
        <Flex key={`${row.kind} ${row.id}`} wrap align="center" gap="4px 12px" className={pageStyles.inset}>
          <b>{row.text}</b>
          <Holder row={row} now={now} acts={acts} />
        </Flex>
      ))}
      {acts.parts}
    </Flex>
  )
}

function Head({ order, rows }: { order: DeskOrder; rows: readonly WorkRow[] }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  const alarm = alarmOf(order, now)
  const states = new Set(order.bookings.flatMap(({ state }) => state ?? []))
  const { onItsWayBack } = moneyOf(order)
  const isLabelLate = deadlinesOf(order, rows).some(({ kind, at }) => kind === 'label' && at < now)
  const warning =
    alarm === undefined
      ? isLabelLate && t('order.labelLate')
      : 'silentMs' in alarm
        ? t('order.silent', { time: durationText(alarm.silentMs, language) })
        : alarm.text
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
          {warning ? (
            <Mark tone="bad" icon="alert">
              {warning}
            </Mark>
          ) : null}
        </>
      }
    />
  )
}

/** Text of the next step and of the soonest deadline. */
function useNextText(order: DeskOrder, rows: readonly WorkRow[]): string {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  const textOf = useDeadlineText()
  const steps = nextStepsOf(order).map((step) => t(`expected.${step}`))
  // An overdue bag already has an alarm, which shows more details.
  const soonest = deadlinesOf(order, rows).find(({ kind, at }) => kind !== 'news' || at > now)
  const { what, when } = soonest ? textOf(soonest) : {}
  return [
    ...(steps.length === 0 ? [] : [t('order.next', { steps: new Intl.ListFormat(language).format(steps) })]),
    ...(soonest ? [`${what} ${when}`] : []),
  ].join(' · ')
}

/** The position of the order in the list from which it was opened. K and J open the previous and the next order. */
function Place({ orderId }: { orderId: number }) {
  const { t } = useTranslation(['desk-orders', 'desk'])
  const navigate = useNavigate()
  const { state } = useLocation()
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
          <Link to={workPath(kind)}>{t(`desk:menuOf.${kind}`)}</Link> ·{' '}
        </span>
      )}
      <span>{t('order.place', { number: at + 1, total: ids.length })}</span> <kbd>K</kbd> <kbd>J</kbd>
    </p>
  )
}
