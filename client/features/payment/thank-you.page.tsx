import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { isWithdrawn } from '#client/entities/order/order-card.rules.ts'
import { paths } from '#client/platform/paths.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { OrderResult, PayAgain } from './order-result.tsx'
import { OrderSlip } from './order-slip.tsx'
import { isOrderKey, readReturn } from './payment.rules.ts'
import { ResultHelp, ResultScreen } from './result-screen.tsx'
import { ThreadPicture } from './thread-picture.tsx'
import { useOnPaid, useWatchedOrder } from './watched-order.ts'
import './payment.texts.ts'
import '#client/ui/buttons.css'

interface ThankYouPageProps {
  readonly maxWeightKg?: number | undefined
  /** Called for every order that is shown as paid. */
  readonly onPaid: (orderId: number) => void
  readonly onClose: (order: Order) => void
  readonly onBookAgain: (order: Order) => void
}

export function ThankYouPage(props: ThankYouPageProps) {
  const [query] = useSearchParams()
  const { succeeded, merchantOrderId } = readReturn(query)
  if (merchantOrderId === null || !(succeeded || isOrderKey(merchantOrderId))) return <Failure />
  if (!isOrderKey(merchantOrderId)) return <NoSuchOrder />
  return <Result orderKey={merchantOrderId} succeeded={succeeded} {...props} />
}

interface ResultProps extends ThankYouPageProps {
  readonly orderKey: string
  /** `success` in the address; the order's own status takes precedence. */
  readonly succeeded: boolean
}

function Result({ orderKey, succeeded, maxWeightKg, onPaid, onClose, onBookAgain }: ResultProps) {
  const { result, order, kept, isLoading } = useWatchedOrder(orderKey)
  useOnPaid(order, onPaid)

  if (isLoading) return <LoadingOrder />
  // A cancelled widget is no proof: an earlier card payment of the same order may have succeeded or been refunded.
  const hasMoneyMoved =
    order !== undefined &&
    (order.status === 'PAID' || isWithdrawn(order.status) || order.refund !== undefined)
  if (!succeeded && !hasMoneyMoved) return <Failure order={order} />
  if (!order) return <NotLoaded problem={result.error} onRetry={() => void result.refetch()} />
  return (
    <OrderResult
      order={order}
      kept={kept}
      maxWeightKg={maxWeightKg}
      isAfterPayment
      onRefresh={() => result.refetch()}
      onBookAgain={() => onBookAgain(order)}
      onClose={() => onClose(order)}
    />
  )
}

export function LoadingOrder() {
  const { t } = useTranslation('payment')
  return (
    <ResultScreen title={t('thankYou.title')}>
      <Loading label={t('thankYou.loading')} outline="pass" />
    </ResultScreen>
  )
}

export function NotLoaded({ problem, onRetry }: { readonly problem: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation('payment')
  return (
    <ResultScreen title={t('thankYou.title')}>
      <FailureState title={t('thankYou.loadFailed')} problem={problem} onRetry={onRetry} />
      <ResultHelp />
      <div className="result-foot">
        <Link className="button" to={paths.orders}>
          {t('toOrders')}
        </Link>
        <Link className="button button-quiet" to={paths.booking}>
          {t('backToBooking')}
        </Link>
      </div>
    </ResultScreen>
  )
}

/** The reference in the address has no valid form: no request is made, and the reference is not shown. */
export function NoSuchOrder() {
  const { t } = useTranslation('payment')
  return (
    <ResultScreen title={t('thankYou.loadFailed')} lead={<p>{t('thankYou.notFound')}</p>} isAlert>
      <div className="dock result-actions">
        <Link className="button button-primary button-wide" to={paths.orders}>
          {t('toOrders')}
        </Link>
        <Link className="button button-quiet" to={paths.booking}>
          {t('backToBooking')}
        </Link>
      </div>
    </ResultScreen>
  )
}

function Failure({ order }: { readonly order?: Order | undefined }) {
  const { t } = useTranslation('payment')
  return (
    <ResultScreen
      title={t('thankYou.failure.title')}
      picture={<ThreadPicture state="declined" />}
      lead={
        <>
          <p>{t('thankYou.failure.text')}</p>
          {/* What the server says of the order, not what the address says. */}
          {order?.payable ? <p>{t('thankYou.failure.notCharged')}</p> : null}
        </>
      }
      isAlert
    >
      {order === undefined ? null : <OrderSlip order={order} isVoid={!order.payable} />}
      <ResultHelp />
      <div className="dock result-actions">
        {order?.payable ? <PayAgain orderId={order.orderId} /> : null}
        <Link
          className={order?.payable ? 'button button-quiet' : 'button button-primary button-wide'}
          to={paths.booking}
        >
          {t('backToBooking')}
        </Link>
      </div>
    </ResultScreen>
  )
}
