import { Fragment, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { isOrderVoid, missingAwb, shownStatus } from '#client/entities/order/order-card.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import {
  dayInRiyadh,
  formatMoment,
  formatMomentInWords,
  formatTime,
  formatWeekdayAndDay,
} from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './agent-orders.module.css'
import { ageOf, dayOf, isNameless, linesOf, rowFactsOf, shownAtOf, splitAwb } from './agent-orders.rules.ts'
import { useIsBeside } from './use-shown-order.ts'

export interface OrderRowsProps {
  readonly orders: readonly Order[]
  /** A search shows each bag of a journey. */
  readonly isSearch: boolean
  /** The current time in epoch ms, for the ages of the orders. */
  readonly now: number
  /** Numbers of bags that were received on this device and not sent yet. */
  readonly unsent: ReadonlySet<string>
  readonly selectedId: number | undefined
  /** Called by the arrow keys. */
  readonly onSelect: (orderId: number) => void
  /** Called by a click or Enter. */
  readonly onOpen: (orderId: number) => void
}

export const rowId = (orderId: number) => `order-row-${orderId}`

/** Focuses the row that the Tab key reaches. */
export const focusRows = () => document.querySelector<HTMLElement>('tr button[tabindex="0"]')?.focus()

/** The list of rows, each 76 px high, one for each journey. Wide screens show OrdersTable instead. */
export function OrderRows({ orders, isSearch, now, unsent, selectedId, onSelect, onOpen }: OrderRowsProps) {
  const { t } = useTranslation('agent-orders')
  const isBeside = useIsBeside()
  const lines = linesOf(orders)
  const { tabStop, ...keys } = useRowKeys(lines.flat(), selectedId, onSelect)
  const rowOf = (order: Order) => ({
    order,
    now,
    unsent,
    isTabStop: order.orderId === tabStop,
    isSelected: isBeside && order.orderId === selectedId,
    onOpen: () => onOpen(order.orderId),
  })
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('columns.caption')}</caption>
      <thead className="visually-hidden">
        <tr>
          {(['city', 'customer', 'phone', 'age', 'last'] as const).map((column) => (
            <th key={column} scope="col">
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...keys}>
        {lines.map((members, index) => {
          const [first] = members
          if (first === undefined) return null
          return (
            <Fragment key={first.orderId}>
              <DayHead order={first} before={lines[index - 1]?.[0]} now={now} />
              {members.length === 1 ? (
                <OrderRow {...rowOf(first)} />
              ) : (
                <JourneyRows rows={members.map(rowOf)} isOpenAtFirst={isSearch} />
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

interface DayHeadProps {
  readonly order: Order
  /** The order of the line above. */
  readonly before: Order | undefined
  readonly now: number
}

/** The day of the lines below, where it is older than yesterday and another one than that of the line above. */
function DayHead({ order, before, now }: DayHeadProps) {
  const language = useLanguage()
  const at = shownAtOf(order)
  const isSame = before !== undefined && dayInRiyadh(shownAtOf(before)) === dayInRiyadh(at)
  if (isSame || dayOf(at, now) !== 'older') return null
  return (
    <tr className={styles.day}>
      <th colSpan={5} scope="rowgroup">
        {formatWeekdayAndDay(at, language)}
      </th>
    </tr>
  )
}

interface JourneyRowsProps {
  readonly rows: readonly OrderRowProps[]
  readonly isOpenAtFirst: boolean
}

/** Bags of one journey: one line with the digits of each bag, or opened, a row for each. Each bag is scanned by itself. */
function JourneyRows({ rows, isOpenAtFirst }: JourneyRowsProps) {
  const { t } = useTranslation('agent-orders')
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const [first] = rows
  if (first === undefined) return null
  const left = rows.filter(({ order, unsent }) => isStillToCome(order, unsent)).length
  return (
    <>
      <tr className={`${layout.grid} ${styles.row} ${styles.journey}`}>
        <td className={styles.city}>
          <span className={styles.stack}>
            <RowCity order={first.order} />
          </span>
        </td>
        <td className={styles.customer}>
          <button
            type="button"
            className={styles.open}
            data-print
            data-unringed
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <RowName order={first.order} />
          </button>
          <p className={styles.together}>
            <b>{t('journey.together', { count: rows.length })}</b>
            {left === rows.length ? null : (
              <span>{` · ${left === 0 ? t('journey.all') : t('journey.left', { count: left })}`}</span>
            )}
          </p>
        </td>
        <td className={styles.phone}>
          <RowPhone order={first.order} />
        </td>
        <td className={styles.age}>{left === 0 ? null : <RowAge {...first} />}</td>
        <td className={isOpen ? undefined : `${layout.line} ${layout.gap2} ${styles.bags}`}>
          {isOpen ? null : rows.map((row) => <BagChip key={row.order.orderId} {...row} />)}
        </td>
      </tr>
      {isOpen
        ? rows.map((row, index) => (
            <BagRow key={row.order.orderId} row={row} number={index + 1} all={rows.length} />
          ))
        : null}
    </>
  )
}

function isStillToCome(order: Order, unsent: ReadonlySet<string>): boolean {
  const { awb, receivedAt } = rowFactsOf(order)
  return receivedAt === undefined && !(awb !== null && unsent.has(awb))
}

/** The digits of one bag; a tick says that it was received. */
function BagChip({ order, unsent, isSelected, isTabStop, onOpen }: OrderRowProps) {
  const { t } = useTranslation('agent-orders')
  const isTaken = !isStillToCome(order, unsent)
  return (
    <RowButton
      order={order}
      isTabStop={isTabStop}
      isSelected={isSelected}
      className={classes(styles.bag, isTaken && styles.isTaken)}
      onOpen={onOpen}
    >
      {isTaken ? <Icon name="tick" /> : null}
      <RowLast order={order} />
      {isTaken ? <span className="visually-hidden"> {t('filter.states.received')}</span> : null}
    </RowButton>
  )
}

interface BagRowProps {
  readonly row: OrderRowProps
  readonly number: number
  readonly all: number
}

function BagRow({ row, number, all }: BagRowProps) {
  const { t } = useTranslation('agent-orders')
  const { order, now, unsent, isTabStop, isSelected, onOpen } = row
  const isWaiting = isStillToCome(order, unsent)
  return (
    <tr className={classes(layout.grid, styles.row, styles.sub, isSelected && styles.isSelected)}>
      <td className={styles.customer}>
        <RowButton
          order={order}
          isTabStop={isTabStop}
          isSelected={isSelected}
          className={styles.open}
          onOpen={onOpen}
        >
          <span>{t('journey.bag', { number, all })}</span>
        </RowButton>
      </td>
      <td className={styles.phone}>
        <span>
          {isWaiting ? t('filter.states.waiting') : <RowAge order={order} now={now} unsent={unsent} />}
        </span>{' '}
        <RowPhoto order={order} />
      </td>
      <td className={styles.last}>
        <RowLast order={order} />
      </td>
    </tr>
  )
}

/** The list is one tab stop; the arrow keys, Home and End move through the rows. `tabStop`: the row that the Tab key reaches. */
export function useRowKeys(
  orders: readonly Order[],
  selectedId: number | undefined,
  onSelect: (orderId: number) => void,
) {
  const onFocus = useKeptFocus(orders)
  const isSelectedListed = orders.some(({ orderId }) => orderId === selectedId)
  const tabStop = isSelectedListed ? selectedId : orders[0]?.orderId

  function onKeyDown(event: KeyboardEvent): void {
    const at = orders.findIndex(({ orderId }) => rowId(orderId) === document.activeElement?.id)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: orders.length - 1 }[event.key]
    const next = to === undefined || at === -1 ? undefined : orders[to]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.orderId)
    document.getElementById(rowId(next.orderId))?.focus()
  }

  return { tabStop, onKeyDown, onFocus }
}

/** A bag that must not be accepted shows neither name nor phone, even when an older answer still has them. */
const isUnnamed = (order: Order): boolean => isOrderVoid(order) || isNameless(order)

function RowName({ order }: { readonly order: Order }) {
  const { t } = useTranslation('agent-orders')
  const name = order.user?.name
  if (isUnnamed(order)) return <span className={styles.hidden}>{t('hidden')}</span>
  return name ? <bdi>{name}</bdi> : <span>{t('noName')}</span>
}

interface OrderRowProps {
  readonly order: Order
  readonly now: number
  readonly unsent: ReadonlySet<string>
  readonly isTabStop: boolean
  readonly isSelected: boolean
  readonly onOpen: () => void
}

function OrderRow({ order, now, unsent, isSelected, ...title }: OrderRowProps) {
  return (
    <tr
      className={classes(
        layout.grid,
        styles.row,
        isOrderVoid(order) && styles.isRefused,
        isSelected && styles.isSelected,
      )}
    >
      <td className={styles.city}>
        <RowCity order={order} />
      </td>
      <td className={styles.customer}>
        <RowTitle order={order} isSelected={isSelected} {...title} />
      </td>
      <td className={styles.phone}>
        <RowPhone order={order} />
        <RowPhoto order={order} />
      </td>
      <td className={styles.age}>
        <RowAge order={order} now={now} unsent={unsent} />
      </td>
      <td className={styles.last}>
        <RowLast order={order} />
      </td>
    </tr>
  )
}

export function RowCity({ order }: { readonly order: Order }) {
  const language = useLanguage()
  const { city } = rowFactsOf(order)
  return (
    <>
      <CityBlock city={city} />
      {city === undefined ? null : <span className="visually-hidden">{cityName(city, language)}</span>}
    </>
  )
}

type RowTitleProps = Omit<OrderRowProps, 'now' | 'unsent'>

/** The name is the button that opens the order. */
export function RowTitle(props: RowTitleProps) {
  return (
    <RowButton {...props} className={styles.open}>
      <RowName order={props.order} />
    </RowButton>
  )
}

interface RowButtonProps extends RowTitleProps {
  readonly className: string | undefined
  readonly children: ReactNode
}

function RowButton({ order, isTabStop, isSelected, className, children, onOpen }: RowButtonProps) {
  return (
    <button
      type="button"
      id={rowId(order.orderId)}
      className={className}
      data-print
      data-unringed
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isSelected ? 'true' : undefined}
      onClick={onOpen}
    >
      {children}
      <span className="visually-hidden">
        {' '}
        <OrderNumber orderId={order.orderId} />
      </span>
    </button>
  )
}

export function RowPhone({ order }: { readonly order: Order }) {
  const phone = order.user?.phone
  return phone && !isUnnamed(order) ? <PhoneText>{phone}</PhoneText> : null
}

/** Whether a picture of a received bag is stored; nothing where no pictures are taken. */
function RowPhoto({ order }: { readonly order: Order }) {
  const { t } = useTranslation('agent-orders')
  const { receivedAt, hasPhoto } = rowFactsOf(order)
  if (receivedAt === undefined || hasPhoto === undefined) return null
  return (
    <span className={styles.photo}>
      <Icon name={hasPhoto ? 'camera' : 'noCamera'} />
      <span>{t(hasPhoto ? 'photo.with' : 'photo.without')}</span>
    </span>
  )
}

interface RowAgeProps extends Pick<OrderRowProps, 'order' | 'now' | 'unsent'> {
  /** No line above names an older day: the row does. */
  readonly hasDay?: boolean
}

/** How long the bag has waited, or else the outcome. A day is named only when it is not today. */
export function RowAge({ order, now, unsent, hasDay = false }: RowAgeProps) {
  const { t } = useTranslation('agent-orders')
  const { awb, receivedAt } = rowFactsOf(order)
  if (isOrderVoid(order)) return <Refusal status={order.status} />
  if (awb !== null && unsent.has(awb)) return <span className={styles.unsent}>{t('unsent')}</span>
  return <ShownTime at={shownAtOf(order)} isReceived={receivedAt !== undefined} now={now} hasDay={hasDay} />
}

interface ShownTimeProps {
  readonly at: string
  readonly isReceived: boolean
  readonly now: number
  readonly hasDay: boolean
}

function ShownTime({ at, isReceived, now, hasDay }: ShownTimeProps) {
  const { t } = useTranslation('agent-orders')
  const language = useLanguage()
  const ageText = useAgeText()
  const day = dayOf(at, now)
  const text =
    day === 'yesterday'
      ? formatMomentInWords(at, now, language)
      : day === 'older' && hasDay
        ? formatMoment(at, language)
        : day === 'older' || isReceived
          ? formatTime(at, language)
          : ageText(at, now)
  return (
    <time
      dateTime={at}
      title={formatMoment(at, language)}
      className={!isReceived && day !== 'today' ? styles.late : undefined}
    >
      {isReceived ? t('received', { age: text }) : text}
    </time>
  )
}

export function RowLast({ order }: { readonly order: Order }) {
  const { awb } = rowFactsOf(order)
  const isVoid = isOrderVoid(order)
  return awb === null ? (
    <NoAwb status={order.status} isVoid={isVoid} />
  ) : (
    <LastDigits awb={awb} isVoid={isVoid} />
  )
}

/** Shows the last four digits large; in print it shows the whole number. */
function LastDigits({ awb, isVoid }: { readonly awb: string; readonly isVoid: boolean }) {
  const { start, last } = splitAwb(awb)
  const Text = isVoid ? 's' : 'span'
  return (
    <Ltr>
      <span className={styles.awbStart}>{start}</span>
      <Text className={styles.awbLast}>{last}</Text>
    </Ltr>
  )
}

function NoAwb({ status, isVoid }: { readonly status: string; readonly isVoid: boolean }) {
  const { t } = useTranslation('order-card')
  return <span className={textStyles.quiet}>{t(`noAwb.${missingAwb(status, isVoid)}`)}</span>
}

function Refusal({ status }: { readonly status: string }) {
  const { t } = useTranslation('agent-orders')
  const { t: ofCard } = useTranslation('order-card')
  // The refund of a paid order with void bags is under way.
  if (status === 'PAID') return <span>{t('goesBack')}</span>
  return <span>{t('refused', { status: ofCard(`status.${shownStatus(status)}`) })}</span>
}

/** The text for an age, such as the time since an order was placed. */
function useAgeText() {
  const { t } = useTranslation('agent-orders')
  return (iso: string, now: number): string => {
    const age = ageOf(iso, now)
    switch (age.unit) {
      case 'now':
        return t('age.now')
      case 'minutes':
        return t('age.minutes', { minutes: age.minutes })
      case 'hours':
        return t('age.hours', { count: age.hours, minutes: age.minutes })
    }
  }
}

/** When a refresh removes the focused row, the row that takes its place gets the focus. */
function useKeptFocus(orders: readonly Order[]) {
  const focused = useRef<{ readonly id: string; readonly index: number }>(undefined)
  const indexOf = (id: string) => orders.findIndex(({ orderId }) => rowId(orderId) === id)
  useLayoutEffect(() => {
    const was = focused.current
    if (was === undefined) return
    const index = indexOf(was.id)
    focused.current = index === -1 ? undefined : { id: was.id, index }
    const next = orders[Math.min(was.index, orders.length - 1)]
    // The browser moves the focus of a removed element to the body.
    if (index !== -1 || next === undefined || document.activeElement !== document.body) return
    document.getElementById(rowId(next.orderId))?.focus({ preventScroll: true })
  })
  return () => {
    const id = document.activeElement?.id ?? ''
    const index = indexOf(id)
    focused.current = index === -1 ? undefined : { id, index }
  }
}
