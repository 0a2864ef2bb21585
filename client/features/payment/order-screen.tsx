import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CancelOrder } from '#client/entities/order/cancel-order.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { useAfter } from '#client/platform/time.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Fact } from '#client/ui/fact.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import { OrderPass } from './order-pass.tsx'
import { OrderReceiver } from './order-receiver.tsx'
import { type ReportedPayment, stateOf } from './order-states.ts'
import { OrderWithoutPass, ResultHelp } from './order-without-pass.tsx'
import styles from './result-screen.module.css'
import { ResultScreen } from './result-screen.tsx'
import { ShareJourney } from './share-journey.tsx'
import { useOnPaid, useWatchedOrder } from './watched-order.ts'

export interface OrderScreenProps {
  /** The order's number, or a merchant reference issued for it. */
  readonly orderKey: string
  /** After a payment, an order that is not paid yet is being checked; otherwise it is unpaid. */
  readonly payment?: ReportedPayment | undefined
  /** Called for every order that is shown as paid. */
  readonly onPaid: (orderId: number) => void
  readonly onBookAgain: (order: Order) => void
  /** Makes it a dialog, closed by Escape, too. */
  readonly onClose?: ((order: Order) => void) | undefined
}

/** A confirmation that has not come by then may never come: the address alone proves no payment. */
export const lateAfterMs = 15_000

/** One order: the pass of a paid one, and what to know and to do for any other. */
export function OrderScreen(props: OrderScreenProps) {
  const { orderKey, payment, onPaid, onBookAgain, onClose } = props
  const { result, order, kept, isLoading } = useWatchedOrder(orderKey)
  useOnPaid(order, onPaid)
  const isChecked = stateOf(order, { payment }) === 'checked'
  const isLate = useAfter(lateAfterMs, isChecked)
  const [isNaming, setIsNaming] = useState(false)
  const refresh = () => result.refetch()

  if (isLoading) return <LoadingOrder />
  const state = stateOf(order, { payment, isLate })
  if (state === 'declined') return <OrderWithoutPass state={state} order={order} />
  if (!order || !state) return <NotLoaded problem={result.error} onRetry={() => void refresh()} />
  const close = onClose && (() => onClose(order))
  const foot = (
    <>
      {isChecked ? null : (
        <OrderReceiver
          order={order}
          orderKey={orderKey}
          isCutOff={kept !== undefined}
          onRefused={refresh}
          isEditing={isNaming}
          onEditing={setIsNaming}
        />
      )}
      <Facts order={order} />
      <Foot order={order} isCutOff={kept !== undefined} onClose={close}>
        {/* While a payment is being checked there is nothing to decide yet. */}
        {isChecked ? null : <CancelOrder order={order} onChanged={refresh} />}
      </Foot>
    </>
  )
  if (order.status === 'PAID') {
    return (
      <OrderPass order={order} kept={kept} onClose={close}>
        {foot}
      </OrderPass>
    )
  }
  return (
    <OrderWithoutPass
      state={state}
      order={order}
      onRefresh={refresh}
      onBookAgain={() => onBookAgain(order)}
      onClose={close}
    >
      {foot}
    </OrderWithoutPass>
  )
}

function LoadingOrder() {
  const { t } = useTranslation('payment')
  return (
    <ResultScreen title={t('thankYou.title')}>
      <Loading label={t('thankYou.loading')} outline="pass" />
    </ResultScreen>
  )
}

function NotLoaded({ problem, onRetry }: { readonly problem: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation('payment')
  return (
    <ResultScreen title={t('thankYou.title')}>
      <FailureState title={t('thankYou.loadFailed')} problem={problem} onRetry={onRetry} />
      <ResultHelp />
      <div className={styles.foot} data-screen>
        <ButtonLink to={paths.orders}>{t('toOrders')}</ButtonLink>
        <ButtonLink look="quiet" to={paths.booking}>
          {t('backToBooking')}
        </ButtonLink>
      </div>
    </ResultScreen>
  )
}

function Facts({ order }: { readonly order: Order }) {
  const { t } = useTranslation('payment')
  const { t: ofCard } = useTranslation('order-card')
  return (
    <dl className={styles.facts}>
      <Fact name={t('thankYou.type')}>{ofCard(`types.${order.type}`)}</Fact>
      <Fact name={t('thankYou.transactionId')}>
        {order.transactionId ? <Ltr>{order.transactionId}</Ltr> : t('thankYou.noTransaction')}
      </Fact>
      {order.status === 'PAID' ? (
        <Fact name={t('thankYou.statusLabel')}>
          <StatusBadge status={order.status} />
        </Fact>
      ) : null}
    </dl>
  )
}

interface FootProps {
  readonly order: Order
  /** The server cannot be reached: nothing is offered that needs it. */
  readonly isCutOff: boolean
  readonly onClose: (() => void) | undefined
  readonly children: ReactNode
}

/** Closing leads to a new booking (spec §2), so the way to the orders stands beside it. */
function Foot({ order, isCutOff, onClose, children }: FootProps) {
  const { t } = useTranslation('payment')
  const { orderId, status, receiver, hasReceipt = false } = order
  return (
    <div className={styles.foot} data-screen>
      {/* With a receiver it is offered beside the name. */}
      {status === 'PAID' && !isCutOff && receiver === undefined ? <ShareJourney orderId={orderId} /> : null}
      {hasReceipt && !isCutOff ? (
        // A plain link: the browser shows the file, and in-app browsers and iOS often refuse files made by scripts.
        <ButtonLink icon="receipt" href={operationHref(readReceiptPdf, { id: orderId })} isNewTab>
          {t('receipt')}
        </ButtonLink>
      ) : null}
      <ButtonLink icon="tag" to={paths.orders}>
        {t('toOrders')}
      </ButtonLink>
      {onClose === undefined ? null : (
        <Button look="quiet" onClick={onClose}>
          {t('thankYou.close')}
        </Button>
      )}
      {children}
    </div>
  )
}
