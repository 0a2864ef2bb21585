import { useMutation } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import { Fragment, type ReactNode } from 'react'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { usePayAgain } from '#client/entities/order/pay-again.ts'
import { RefundNote } from '#client/entities/order/refund-note.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { HelpLine } from '#client/entities/purchase/purchase-facts.tsx'
import { BagBadge } from '#client/entities/tag/bag-badge.tsx'
import { isTagOver, tagOf } from '#client/entities/tag/tag.rules.ts'
import { TagScreen } from '#client/entities/tag/tag-screen.tsx'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Problem } from '#client/ui/problem.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import type { OrderState } from './order-states.ts'
import { OrderTag } from './order-tag.tsx'
import styles from './result-screen.module.css'
import { ThreadPicture, type ThreadState } from './thread-picture.tsx'

/** `payNow` and `payAgain` are offered only for an order that the server calls payable. */
type OrderAction = 'payNow' | 'payAgain' | 'refresh' | 'bookAgain' | 'toOrders' | 'toBooking'

type TextKey = ParseKeys<'payment'>

interface StateView {
  readonly title: TextKey
  /** One text for each paragraph. */
  readonly lead: (order: Partial<Order>) => readonly TextKey[]
  readonly picture?: ThreadState
  /** The first action is the primary one. The last of several actions is the quiet one. */
  readonly actions: readonly OrderAction[]
  /** A screen reader reads it at once. */
  readonly isAlert?: boolean
}

const none: readonly TextKey[] = []

const voidLineOf = ({ bookings = [] }: Partial<Order>): readonly TextKey[] =>
  bookings.some(({ awb }) => awb !== null) ? ['thankYou.void'] : none

/** A refund has a title and a picture of its own. */
const views: Readonly<Record<OrderState, StateView>> = {
  missing: {
    title: 'thankYou.loadFailed',
    lead: () => ['thankYou.notFound'],
    actions: ['toOrders', 'toBooking'],
    isAlert: true,
  },
  declined: {
    title: 'thankYou.failure.title',
    picture: 'declined',
    // Use the status from the server, not the outcome in the address.
    lead: ({ payable }) => [
      'thankYou.failure.text',
      ...(payable ? (['thankYou.failure.notCharged'] as const) : none),
    ],
    actions: ['payAgain', 'toBooking'],
    isAlert: true,
  },
  unpaid: {
    title: 'thankYou.titles.unpaid',
    picture: 'pending',
    lead: () => ['thankYou.unpaid'],
    actions: ['payNow'],
  },
  checked: {
    title: 'thankYou.titles.PENDING_PAYMENT',
    picture: 'pending',
    lead: () => ['thankYou.pending.text'],
    actions: ['refresh', 'bookAgain'],
    isAlert: true,
  },
  /** Before the server opens another payment, it asks the provider about the last one. */
  unconfirmed: {
    title: 'thankYou.titles.PENDING_PAYMENT',
    picture: 'pending',
    lead: () => ['thankYou.pending.unconfirmed'],
    actions: ['refresh', 'payNow', 'bookAgain'],
    isAlert: true,
  },
  refunding: { title: 'thankYou.titles.refund-pending', lead: () => none, actions: [] },
  /** The text is also true when a second, correct payment was made and is not confirmed yet. */
  payableAgain: {
    title: 'thankYou.titles.refund-done',
    lead: () => ['thankYou.payFull'],
    actions: ['payAgain'],
  },
  notCarried: {
    title: 'thankYou.titles.refund-pending',
    lead: (order) => ['thankYou.notCarried', ...voidLineOf(order)],
    actions: ['bookAgain'],
  },
  EXPIRED: {
    title: 'thankYou.titles.EXPIRED',
    picture: 'expired',
    lead: ({ refund }) => [refund ? 'thankYou.expiredAfterRefund' : 'thankYou.expired'],
    actions: ['bookAgain'],
  },
  CANCELLED: {
    title: 'thankYou.titles.CANCELLED',
    picture: 'expired',
    lead: (order) => [order.refund ? 'thankYou.cancelled' : 'thankYou.dropped', ...voidLineOf(order)],
    actions: ['bookAgain'],
  },
  REFUNDED: {
    title: 'thankYou.titles.REFUNDED',
    picture: 'refunded',
    lead: ({ refund }) => [...(refund ? none : (['thankYou.refunded'] as const)), 'thankYou.void'],
    actions: ['bookAgain'],
  },
  other: {
    title: 'thankYou.titles.other',
    picture: 'pending',
    lead: () => ['thankYou.unknownStatus'],
    actions: [],
  },
}

interface OrderWithoutPassProps extends ActionCallbacks {
  readonly state: OrderState
  /** `undefined` when the order is not known. */
  readonly order?: Order | undefined
  readonly children?: ReactNode
}

/** The page of an order without a travelling bag: the facts, and the next action. */
export function OrderWithoutPass({ state, order, children, ...callbacks }: OrderWithoutPassProps) {
  const { t } = useTranslation('payment')
  const { title, picture, lead, actions, isAlert = false } = views[state]
  const refund = order?.refund
  const booking = order?.bookings[0]
  const thread = refund ? 'refunded' : picture
  const lines = lead(order ?? {})
  return (
    <TagScreen
      title={t(refund ? `thankYou.titles.refund-${refund.state}` : title)}
      picture={thread && <ThreadPicture state={thread} />}
      lead={lines.length === 0 ? null : lines.map((key) => <p key={key}>{t(key)}</p>)}
      isAlert={isAlert}
    >
      {order === undefined || booking === undefined ? null : (
        <OrderTag
          number={<OrderNumber orderId={order.orderId} />}
          city={booking.destination.city}
          badge={order.status === 'PAID' ? <BagBadge bag={booking} /> : <StatusBadge status={order.status} />}
          isOver={isTagOver(tagOf(order, booking))}
        />
      )}
      {refund ? (
        <div role="status">
          <RefundNote refund={refund} />
        </div>
      ) : null}
      {/* The note about a refund that needs help already names the support. */}
      {state === 'missing' || refund?.state === 'needs-help' ? null : <ResultHelp />}
      <Actions actions={actions} payableId={order?.payable ? order.orderId : undefined} {...callbacks} />
      {children}
    </TagScreen>
  )
}

/** The contact of the support, shown when a payment or a refund has failed. */
export function ResultHelp() {
  return (
    <div className={styles.help}>
      <HelpLine phone={brand.contact.phone} />
    </div>
  )
}

interface ActionCallbacks {
  readonly onRefresh?: () => Promise<unknown>
  readonly onBookAgain?: () => void
}

interface ActionsProps extends ActionCallbacks {
  readonly actions: readonly OrderAction[]
  /** Undefined for an order that accepts no payment. */
  readonly payableId: number | undefined
}

function Actions({ actions, payableId, onRefresh, onBookAgain }: ActionsProps) {
  const { t } = useTranslation('payment')
  const { pay, isBusy, problem } = usePayAgain(payableId ?? 0)
  // The page also polls: the button shows progress only for a refresh that it started.
  const refresh = useMutation({ mutationFn: async () => onRefresh?.() })
  const isPayment = (name: OrderAction) => name === 'payNow' || name === 'payAgain'
  const offered = actions.filter((name) => payableId !== undefined || !isPayment(name))
  if (offered.length === 0) return null

  const opening = isBusy ? t('thankYou.failure.opening') : undefined
  const texts: Readonly<Record<OrderAction, string>> = {
    payNow: opening ?? t('thankYou.failure.pay'),
    payAgain: opening ?? t('thankYou.failure.payAgain'),
    refresh: refresh.isPending ? t('thankYou.pending.refreshing') : t('thankYou.pending.refresh'),
    bookAgain: t('thankYou.pending.bookAgain'),
    toOrders: t('toOrders'),
    toBooking: t('backToBooking'),
  }
  const presses = { payNow: pay, payAgain: pay, refresh: () => refresh.mutate(), bookAgain: onBookAgain }
  return (
    <div className={classes(buttonStyles.dock, layout.stack, layout.gap1, styles.actions)}>
      {offered.map((name, index) => {
        const isLast = index === offered.length - 1
        const look = index === 0 ? 'primary' : isLast ? 'quiet' : undefined
        const isWide = look !== 'quiet'
        return name === 'toOrders' || name === 'toBooking' ? (
          <ButtonLink
            key={name}
            look={look}
            isWide={isWide}
            to={name === 'toOrders' ? paths.orders : paths.booking}
          >
            {texts[name]}
          </ButtonLink>
        ) : (
          <Fragment key={name}>
            {isPayment(name) ? <Problem error={problem} /> : null}
            <Button
              look={look}
              isWide={isWide}
              className={isWide ? undefined : styles.lesser}
              icon={name === 'refresh' ? 'refresh' : undefined}
              isBusy={isPayment(name) && isBusy}
              onClick={presses[name]}
            >
              {texts[name]}
            </Button>
          </Fragment>
        )
      })}
    </div>
  )
}
