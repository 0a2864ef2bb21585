import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { isOrderVoid, missingAwb, shownStatus } from '#client/entities/order/order-card.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { formatDay, formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './agent-orders.module.css'
import { ageOf, isNameless, rowFactsOf, splitAwb } from './agent-orders.rules.ts'
import { useIsBeside } from './use-shown-order.ts'

export interface OrderRowsProps {
  readonly orders: readonly Order[]
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

/** The list of rows, each 76 px high. Wide screens show OrdersTable instead. */
export function OrderRows({ orders, now, unsent, selectedId, onSelect, onOpen }: OrderRowsProps) {
  const { t } = useTranslation('agent-orders')
  const isBeside = useIsBeside()
  const { tabStop, ...keys } = useRowKeys(orders, selectedId, onSelect)
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
        {orders.map((order) => (
          <OrderRow
            key={order.orderId}
            order={order}
            now={now}
            unsent={unsent}
            isTabStop={order.orderId === tabStop}
            isSelected={isBeside && order.orderId === selectedId}
            onOpen={() => onOpen(order.orderId)}
          />
        ))}
      </tbody>
    </table>
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

/** The name is the button that opens the order. */
export function RowTitle({ order, isTabStop, isSelected, onOpen }: Omit<OrderRowProps, 'now' | 'unsent'>) {
  return (
    <button
      type="button"
      id={rowId(order.orderId)}
      className={styles.open}
      data-print
      data-unringed
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isSelected ? 'true' : undefined}
      onClick={onOpen}
    >
      <RowName order={order} />
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

/** How long the bag has waited, or else the outcome, and the time of the order. */
export function RowAge({ order, now, unsent }: Pick<OrderRowProps, 'order' | 'now' | 'unsent'>) {
  const { t } = useTranslation('agent-orders')
  const ageText = useAgeText()
  const language = useLanguage()
  const { awb, receivedAt } = rowFactsOf(order)
  return (
    <>
      {isOrderVoid(order) ? (
        <Refusal status={order.status} />
      ) : awb !== null && unsent.has(awb) ? (
        <span className={styles.unsent}>{t('unsent')}</span>
      ) : receivedAt !== undefined ? (
        <time dateTime={receivedAt} title={formatMoment(receivedAt, language)}>
          {t('received', { age: ageText(receivedAt, now) })}
        </time>
      ) : (
        <time dateTime={order.creationDate} title={formatMoment(order.creationDate, language)}>
          {ageText(order.creationDate, now)}
        </time>
      )}
      <span className={styles.date}>
        <span className="visually-hidden">{t('created')} </span>
        <span>{formatDay(order.creationDate, language)}</span>
      </span>
    </>
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
      case 'days':
        return t('age.days', { count: age.days })
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
