import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { knownStatus } from '#client/entities/order/order-card.rules.ts'
import { usePayAgain } from '#client/entities/order/pay-again.ts'
import { RefundNote } from '#client/entities/order/refund-note.tsx'
import { paths } from '#client/platform/paths.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { OrderResult } from './order-result.tsx'
import { orderQuery } from './payment.queries.ts'
import { isAwaitingNews, isOrderKey, pauseAfter, readReturn } from './payment.rules.ts'
import { Shipments } from './shipments.tsx'
import './thank-you.css'
import './payment.texts.ts'
import '#client/ui/buttons.css'

interface ThankYouPageProps {
  /** Called for every order that is shown as paid. */
  readonly onPaid: (orderId: number) => void
  readonly onClose: (order: Order) => void
  readonly onBookAgain: (order: Order) => void
}

export function ThankYouPage(props: ThankYouPageProps) {
  const { t } = useTranslation('payment')
  const [query] = useSearchParams()
  const { succeeded, merchantOrderId } = readReturn(query)
  return (
    <Page title={t('thankYou.title')}>
      {merchantOrderId === null || !(succeeded || isOrderKey(merchantOrderId)) ? (
        <>
          <JourneySteps current="pay" />
          <Failure />
        </>
      ) : !isOrderKey(merchantOrderId) ? (
        <NoSuchOrder />
      ) : (
        <Result orderKey={merchantOrderId} succeeded={succeeded} {...props} />
      )}
    </Page>
  )
}

/** The reference in the address has no valid form: no request is made, and the reference is not shown. */
function NoSuchOrder() {
  const { t } = useTranslation('payment')
  return (
    <div className="claim-failure" role="alert">
      <h2 className="claim-failure-title">{t('thankYou.loadFailed')}</h2>
      <p>{t('thankYou.notFound')}</p>
      <div className="claim-actions">
        <Link className="button button-primary" to={paths.orders}>
          {t('toOrders')}
        </Link>
        <Link className="button" to={paths.booking}>
          {t('backToBooking')}
        </Link>
      </div>
    </div>
  )
}

interface ResultProps extends ThankYouPageProps {
  readonly orderKey: string
  /** `success` in the address; the order's own status takes precedence. */
  readonly succeeded: boolean
}

function Result(props: ResultProps) {
  const result = useWatchedOrder(props.orderKey)
  const { orderId, status } = result.data?.order ?? {}
  const isPaid = status === 'PAID'
  // After a refund there is no next step.
  const isOver = status === 'REFUNDED'

  const { onPaid } = props
  useEffect(() => {
    if (isPaid && orderId !== undefined) onPaid(orderId)
  }, [isPaid, orderId, onPaid])

  return (
    <>
      {isOver ? null : <JourneySteps current={isPaid ? 'label' : 'pay'} />}
      <ResultOf {...props} result={result} />
    </>
  )
}

function ResultOf({
  result,
  succeeded,
  onClose,
  onBookAgain,
}: ResultProps & { readonly result: ReturnType<typeof useWatchedOrder> }) {
  const { t } = useTranslation('payment')
  const order = result.data?.order
  const isPaid = order?.status === 'PAID'

  if (result.isPending) return <Loading label={t('thankYou.loading')} />
  // A cancelled widget is no proof: an earlier card payment of the same order may have succeeded or been refunded.
  const hasMoneyMoved = isPaid || order?.status === 'REFUNDED' || order?.refund !== undefined
  if (!succeeded && !hasMoneyMoved) return <Failure order={order} />
  if (!order) {
    return (
      <>
        <FailureState
          title={t('thankYou.loadFailed')}
          problem={result.error}
          onRetry={() => void result.refetch()}
        />
        <Link className="claim-back" to={paths.booking}>
          {t('backToBooking')}
        </Link>
      </>
    )
  }
  return (
    <OrderResult order={order} onClose={() => onClose(order)}>
      {isPaid ? <Shipments bookings={order.bookings} /> : null}
      {order.refund ? (
        <div role="status">
          <RefundNote refund={order.refund} />
        </div>
      ) : null}
      <NextStep order={order} onRefresh={() => result.refetch()} onBookAgain={() => onBookAgain(order)} />
    </OrderResult>
  )
}

interface NextStepProps {
  readonly order: Order
  readonly onRefresh: () => Promise<unknown>
  readonly onBookAgain: () => void
}

/** What the state of an unpaid or refunded order means, and what can be done. */
function NextStep({ order, onRefresh, onBookAgain }: NextStepProps) {
  const { t } = useTranslation('payment')
  const { status, refund } = order
  return (
    <>
      {/* The text also holds when a second, correct payment has been made and is not confirmed yet. */}
      {refund && order.payable ? (
        <div className="claim-note claim-note-waiting">
          <p>{t('thankYou.payFull')}</p>
          <div className="claim-actions">
            <PayAgain orderId={order.orderId} />
          </div>
        </div>
      ) : null}
      {status === 'PENDING_PAYMENT' && !refund ? (
        <Pending onRefresh={onRefresh} onBookAgain={onBookAgain} />
      ) : null}
      {status === 'EXPIRED' ? (
        <div className="claim-note claim-note-waiting">
          <p>{t(refund ? 'thankYou.expiredAfterRefund' : 'thankYou.expired')}</p>
          <button type="button" className="button" onClick={onBookAgain}>
            {t('thankYou.pending.bookAgain')}
          </button>
        </div>
      ) : null}
      {status === 'REFUNDED' && !refund ? (
        <div className="claim-note claim-note-waiting">
          <p>{t('thankYou.refunded')}</p>
        </div>
      ) : null}
      {knownStatus(status) === undefined ? (
        <div className="claim-note claim-note-waiting">
          <p>{t('thankYou.unknownStatus')}</p>
        </div>
      ) : null}
    </>
  )
}

/** Polls while the order may change: quickly at first, and quickly again after every change of status. */
function useWatchedOrder(orderKey: string) {
  const since = useRef({ stage: '', pollCount: 0 })
  return useQuery({
    ...orderQuery(orderKey),
    refetchInterval: ({ state }) => {
      if (!state.data || !isAwaitingNews(state.data.order)) return false
      const { status, refund } = state.data.order
      const stage = `${status} ${refund?.state}`
      const pollCount = state.dataUpdateCount + state.errorUpdateCount
      if (since.current.stage !== stage) since.current = { stage, pollCount: pollCount - 1 }
      return pauseAfter(pollCount - since.current.pollCount)
    },
  })
}

function Failure({ order }: { readonly order?: Order | undefined }) {
  const { t } = useTranslation('payment')
  return (
    <div className="claim-failure" role="alert">
      <h2 className="claim-failure-title">{t('thankYou.failure.title')}</h2>
      <p>{t('thankYou.failure.text')}</p>
      <div className="claim-actions">
        {order?.payable ? <PayAgain orderId={order.orderId} /> : null}
        <Link className="button" to={paths.booking}>
          {t('backToBooking')}
        </Link>
      </div>
    </div>
  )
}

function PayAgain({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('payment')
  const { pay, isBusy, problem } = usePayAgain(orderId)
  return (
    <>
      <button type="button" className="button button-primary" disabled={isBusy} onClick={pay}>
        {isBusy ? t('thankYou.failure.opening') : t('thankYou.failure.payAgain')}
      </button>
      {problem === undefined ? null : <p className="claim-problem">{problem}</p>}
    </>
  )
}

interface PendingProps {
  readonly onRefresh: () => Promise<unknown>
  readonly onBookAgain: () => void
}

function Pending({ onRefresh, onBookAgain }: PendingProps) {
  const { t } = useTranslation('payment')
  // The page also polls: only a refresh by button shows progress on the button.
  const refresh = useMutation({ mutationFn: onRefresh })
  return (
    <div className="claim-note claim-note-waiting">
      <div role="alert">
        <p className="claim-note-title">{t('thankYou.pending.title')}</p>
        <p>{t('thankYou.pending.text')}</p>
      </div>
      <div className="claim-actions">
        <button type="button" className="button button-primary" onClick={() => refresh.mutate()}>
          {refresh.isPending ? t('thankYou.pending.refreshing') : t('thankYou.pending.refresh')}
        </button>
        <button type="button" className="button" onClick={onBookAgain}>
          {t('thankYou.pending.bookAgain')}
        </button>
      </div>
    </div>
  )
}
