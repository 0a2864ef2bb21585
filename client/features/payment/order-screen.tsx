import { type ReactNode, useState } from 'react'
import { AnotherBag } from '#client/entities/order/another-bag.tsx'
import { CancelOrder } from '#client/entities/order/cancel-order.tsx'
import { hasPass, isValidBag } from '#client/entities/order/order-card.rules.ts'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { LoadingTag } from '#client/entities/tag/luggage-tag.tsx'
import { tagOfBag } from '#client/entities/tag/tag.rules.ts'
import { TagScreen, tagHeadingId } from '#client/entities/tag/tag-screen.tsx'
import { isCallProblem } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { useAfter } from '#client/platform/time.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Fact } from '#client/ui/fact.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { Page } from '#client/ui/page.tsx'
import textStyles from '#client/ui/text.module.css'
import { Wordmark } from '#client/ui/wordmark.tsx'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import { BagFiles } from './bag-files.tsx'
import { OrderPass } from './order-pass.tsx'
import { isPrinted, OrderReceiver } from './order-receiver.tsx'
import { type ReportedPayment, stateOf } from './order-states.ts'
import { OrderWithoutPass, ResultHelp } from './order-without-pass.tsx'
import styles from './result-screen.module.css'
import { ShareJourney } from './share-journey.tsx'
import { useOnPaid, useWatchedOrder } from './watched-order.ts'

export interface OrderScreenProps {
  /** The order's number, or a merchant reference issued for it. */
  readonly orderKey: string
  /**
   * The outcome in the address of the result page. When it is set, an order that is not paid yet is being checked; otherwise the
   * order is unpaid.
   */
  readonly payment?: ReportedPayment | undefined
  /** Called for every order that is shown as paid. */
  readonly onPaid: (orderId: number) => void
  readonly onBookAgain: (order: Order) => void
  /** The claims about the order's bags, and the link to a new claim. */
  readonly claims?: ((order: Order) => ReactNode) | undefined
  /** When set, the loaded order is shown in a dialog. Called when the user closes the dialog. */
  readonly onClose?: ((order: Order) => void) | undefined
}

/** A confirmation that has not arrived by then may never arrive: the address alone proves no payment. */
export const lateAfterMs = 15_000

/** One order: the pass of a paid order, or the state and the next action of any other. */
export function OrderScreen(props: OrderScreenProps) {
  const { orderKey, payment, onPaid, onBookAgain, claims, onClose } = props
  const { result, order, kept, isLoading } = useWatchedOrder(orderKey)
  useOnPaid(order, onPaid)
  const isChecked = stateOf(order, { payment }) === 'checked'
  const isLate = useAfter(lateAfterMs, isChecked)
  const [isNaming, setIsNaming] = useState(false)
  const refresh = () => result.refetch()

  if (isLoading) return <LoadingOrder payment={payment} />
  const state = stateOf(order, { payment, isLate })
  if (state === 'declined') return <OrderWithoutPass state={state} order={order} />
  if (!order || !state)
    return <NotLoaded problem={result.error} payment={payment} onRetry={() => void refresh()} />
  const bags = order.bookings.filter(isValidBag).map(tagOfBag)
  // Before the journey it is not shared yet, and after it its link can only be ended: both are rarely needed.
  const isShareRare = bags[0] === 'tied' || bags.every((state) => state === 'collected')
  const isShared = hasPass(order) && kept === undefined
  const receiver = isChecked ? null : (
    <OrderReceiver
      order={order}
      orderKey={orderKey}
      isCutOff={kept !== undefined}
      onRefused={refresh}
      isEditing={isNaming}
      onEditing={setIsNaming}
    />
  )
  // A receiver who can no longer be changed is one of the rarely needed facts.
  const isReceiverLast = hasPass(order) && isPrinted(order) && !isNaming
  const foot = (
    <>
      {claims?.(order)}
      {isReceiverLast ? null : receiver}
      <Foot
        order={order}
        isCutOff={kept !== undefined}
        isShared={isShared && isShareRare}
        // While a payment is being checked, the user has nothing to decide yet.
        cancel={isChecked ? null : <CancelOrder order={order} onChanged={refresh} />}
      >
        {isReceiverLast ? receiver : null}
        <Facts order={order} />
      </Foot>
    </>
  )
  const screen = hasPass(order) ? (
    <OrderPass order={order} kept={kept} isShared={isShared && !isShareRare}>
      {foot}
    </OrderPass>
  ) : (
    <OrderWithoutPass state={state} order={order} onRefresh={refresh} onBookAgain={() => onBookAgain(order)}>
      {foot}
    </OrderWithoutPass>
  )
  return onClose === undefined ? screen : <Result onClose={() => onClose(order)}>{screen}</Result>
}

interface ResultProps {
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The result of a payment: full screen on a phone, a window on a wide screen. */
function Result({ onClose, children }: ResultProps) {
  const { t } = useTranslation('payment')
  return (
    <Overlay
      kind="full"
      title={t('thankYou.title')}
      labelledBy={tagHeadingId}
      isBare
      className={styles.result}
      onClose={onClose}
    >
      <div className={classes(layout.split, layout.gap3, styles.resultHead)} data-screen>
        {/* The thread leaves the wordmark at its height in the bar. */}
        <span className={layout.line} aria-hidden="true">
          <Wordmark />
        </span>
        <button
          type="button"
          className={classes(layout.line, layout.gap2, styles.resultClose)}
          onClick={onClose}
        >
          <Icon name="cross" />
          {t('thankYou.close')}
        </button>
      </div>
      {children}
    </Overlay>
  )
}

/** The loading state has the shape of a paid order. An unpaid order has a different shape. */
function LoadingOrder({ payment }: Pick<OrderScreenProps, 'payment'>) {
  const { t } = useTranslation('payment')
  const title = t(payment === undefined ? 'yourOrder' : 'thankYou.titles.PENDING_PAYMENT')
  return (
    <Page title={title} width="table">
      <LoadingTag />
    </Page>
  )
}

interface NotLoadedProps extends Pick<OrderScreenProps, 'payment'> {
  readonly problem: unknown
  readonly onRetry: () => void
}

function NotLoaded({ problem, payment, onRetry }: NotLoadedProps) {
  const { t } = useTranslation('payment')
  const isOrderPage = payment === undefined
  // Just after a payment the server may find its order a moment later.
  const isMissing = isOrderPage && isCallProblem(problem) && problem.code === 'ORDER_NOT_FOUND'
  return (
    <TagScreen title={t(isOrderPage ? 'yourOrder' : 'thankYou.title')}>
      <FailureState
        title={t('thankYou.loadFailed')}
        problem={problem}
        onRetry={isMissing ? undefined : onRetry}
      />
      <ResultHelp />
      <div className={classes(layout.cluster, layout.gap3, styles.foot)} data-screen>
        <ButtonLink look={isMissing ? 'primary' : undefined} to={paths.orders}>
          {t('toOrders')}
        </ButtonLink>
        <ButtonLink look="quiet" to={paths.booking}>
          {t('backToBooking')}
        </ButtonLink>
      </div>
    </TagScreen>
  )
}

function Facts({ order }: { readonly order: Order }) {
  const { t } = useTranslation('payment')
  const { t: ofCard } = useTranslation('order-card')
  return (
    <dl className={classes(layout.cluster, layout.gap3, styles.facts)}>
      <Fact name={t('thankYou.type')}>{ofCard(`types.${order.type}`)}</Fact>
      <Fact name={t('thankYou.transactionId')}>
        {order.transactionId ? <Ltr>{order.transactionId}</Ltr> : t('thankYou.noTransaction')}
      </Fact>
      {hasPass(order) ? (
        <Fact name={t('thankYou.statusLabel')}>
          <StatusBadge status={order.status} />
        </Fact>
      ) : null}
    </dl>
  )
}

interface FootProps {
  readonly order: Order
  /** The server cannot be reached: actions that need it are not offered. */
  readonly isCutOff: boolean
  /** The journey of the order can be shared here. */
  readonly isShared: boolean
  /** The button that cancels the order. */
  readonly cancel: ReactNode
  /** The facts of the order. */
  readonly children: ReactNode
}

function Foot({ order, isCutOff, isShared, cancel, children }: FootProps) {
  const { t } = useTranslation('payment')
  const { t: ofPass } = useTranslation('pass')
  const { orderId, bookings, hasReceipt = false } = order
  const isPass = hasPass(order)
  const receipt =
    hasReceipt && !isCutOff ? (
      // A plain link: the browser shows the file, and in-app browsers and iOS often refuse files made by scripts.
      <ButtonLink
        look={isPass ? 'quiet' : undefined}
        icon="receipt"
        href={operationHref(readReceiptPdf, { id: orderId })}
        isNewTab
      >
        {t('receipt')}
      </ButtonLink>
    ) : null
  const toOrders = (
    <ButtonLink look={isPass ? 'quiet' : undefined} icon="tag" to={paths.orders}>
      {t('toOrders')}
    </ButtonLink>
  )
  if (!isPass)
    return (
      <>
        {children}
        <div className={classes(layout.cluster, layout.gap3, styles.foot)} data-screen>
          {receipt}
          {cancel}
          {toOrders}
        </div>
      </>
    )
  const isTied = bookings.some((booking) => tagOfBag(booking) === 'tied')
  return (
    <details className={styles.foot}>
      <summary className={textStyles.unfold}>{ofPass('more')}</summary>
      <div className={classes(layout.stack, styles.more)}>
        {cancel}
        {isShared ? <ShareJourney order={order} look="quiet" /> : null}
        {bookings.map((booking, index) => (
          <BagFiles
            // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
            key={index}
            orderId={orderId}
            booking={booking}
            leg={legsOf(order.type)[index] ?? { from: 'agent', to: 'center' }}
            centerCode={order.centerCode}
            isCutOff={isCutOff}
          />
        ))}
        {isTied || isCutOff ? null : <AnotherBag order={order} look="quiet" />}
        {receipt}
        {toOrders}
        {children}
      </div>
    </details>
  )
}
