import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { openDocument, useRevived } from '#client/platform/document.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { AirwayBill } from '#client/ui/awb.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { knownStatus, toneOf } from '#client/ui/order-card.rules.ts'
import { OrderNumber } from '#client/ui/order-number.tsx'
import { Page } from '#client/ui/page.tsx'
import { PlaceView } from '#client/ui/place.tsx'
import { StatusBadge } from '#client/ui/status-badge.tsx'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { orderQuery, reopenPayment } from './payment.queries.ts'
import { isAwaitingNews, pauseAfter, readReturn } from './payment.rules.ts'
import './thank-you.css'
import './payment.texts.ts'
import '#client/ui/buttons.css'

interface ThankYouPageProps {
  /** Told of each order that is shown as paid. */
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
      {merchantOrderId === null ? (
        <>
          <JourneySteps current="pay" />
          <Failure />
        </>
      ) : (
        <Result orderKey={merchantOrderId} succeeded={succeeded} {...props} />
      )}
    </Page>
  )
}

interface ResultProps extends ThankYouPageProps {
  readonly orderKey: string
  /** What the address says; the order itself may know better. */
  readonly succeeded: boolean
}

function Result(props: ResultProps) {
  const result = useWatchedOrder(props.orderKey)
  const { orderId, status } = result.data?.order ?? {}
  const isPaid = status === 'PAID'
  // Where the money went back there is no bag to send: no step is the next one.
  const isOver = props.succeeded && status === 'REFUNDED'

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
  // A cancelled widget is no proof: an earlier card of the same order may have gone through.
  if (!succeeded && !isPaid) return <Failure order={order} />
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
    <Claim order={order} onClose={() => onClose(order)}>
      {order.status === 'PENDING_PAYMENT' ? (
        <Pending onRefresh={() => result.refetch()} onBookAgain={() => onBookAgain(order)} />
      ) : null}
      {order.status === 'EXPIRED' ? (
        <div className="claim-note claim-note-waiting">
          <p>{t('thankYou.expired')}</p>
          <button type="button" className="button" onClick={() => onBookAgain(order)}>
            {t('thankYou.pending.bookAgain')}
          </button>
        </div>
      ) : null}
      {order.status === 'REFUNDED' ? (
        <div className="claim-note claim-note-waiting">
          <p>{t('thankYou.refunded')}</p>
        </div>
      ) : null}
      {knownStatus(order.status) === undefined ? (
        <div className="claim-note claim-note-waiting">
          <p>{t('thankYou.unknownStatus')}</p>
        </div>
      ) : null}
      {isPaid ? <Shipments bookings={order.bookings} /> : null}
    </Claim>
  )
}

/** Looks again by itself while there may be news: quickly at first, and quickly again after every change of status. */
function useWatchedOrder(orderKey: string) {
  const since = useRef({ status: '', looks: 0 })
  return useQuery({
    ...orderQuery(orderKey),
    refetchInterval: ({ state }) => {
      if (!state.data || !isAwaitingNews(state.data.order)) return false
      const { status } = state.data.order
      const looks = state.dataUpdateCount + state.errorUpdateCount
      if (since.current.status !== status) since.current = { status, looks: looks - 1 }
      return pauseAfter(looks - since.current.looks)
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
        {order?.status === 'PENDING_PAYMENT' ? <PayAgain orderId={order.orderId} /> : null}
        <Link className="button" to={paths.booking}>
          {t('backToBooking')}
        </Link>
      </div>
    </div>
  )
}

function PayAgain({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('payment')
  const reopen = useMutation({
    mutationFn: () => reopenPayment(orderId),
    onSuccess: (payment) => openDocument(paths.payment(payment)),
  })
  useRevived(reopen.reset)
  const isBusy = reopen.isPending || reopen.isSuccess
  return (
    <>
      <button
        type="button"
        className="button button-primary"
        disabled={isBusy}
        onClick={() => reopen.mutate()}
      >
        {isBusy ? t('thankYou.failure.opening') : t('thankYou.failure.payAgain')}
      </button>
      {isCallProblem(reopen.error) ? <p className="claim-problem">{reopen.error.message}</p> : null}
    </>
  )
}

interface ClaimProps {
  readonly order: Order
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog in name and keys, but not a modal one: the language and the way home stay in reach. */
function Claim({ order, onClose, children }: ClaimProps) {
  const { t } = useTranslation('payment')
  const titleId = useId()
  const status = knownStatus(order.status)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])

  return (
    <div className="claim" role="dialog" aria-labelledby={titleId}>
      {/* The heading turns from waiting to paid under the reader's eyes, so it is announced. */}
      <div role="status">
        <h2 className="claim-title" id={titleId}>
          {t(`thankYou.claim.${status ?? 'other'}`)}
        </h2>
      </div>
      <dl className="claim-facts">
        <Fact name={t('thankYou.orderId')}>
          <OrderNumber orderId={order.orderId} />
        </Fact>
        <Fact name={t('thankYou.type')}>{t(`thankYou.types.${order.type}`)}</Fact>
        <Fact name={t('thankYou.transactionId')}>
          {order.transactionId ? <Ltr>{order.transactionId}</Ltr> : t('thankYou.noTransaction')}
        </Fact>
        <Fact name={t('thankYou.statusLabel')}>
          <StatusBadge
            tone={toneOf(order.status)}
            text={status ? t(`thankYou.status.${status}`) : order.status}
          />
        </Fact>
      </dl>
      {children}
      <button type="button" className="button claim-close" onClick={onClose}>
        {t('thankYou.close')}
      </button>
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="claim-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface PendingProps {
  readonly onRefresh: () => Promise<unknown>
  readonly onBookAgain: () => void
}

function Pending({ onRefresh, onBookAgain }: PendingProps) {
  const { t } = useTranslation('payment')
  // The page also looks by itself; only a look somebody asked for is worth a word on the button.
  const refresh = useMutation({ mutationFn: onRefresh })
  return (
    <div className="claim-note claim-note-waiting">
      <div role="alert">
        <p className="claim-note-title">{t('thankYou.pending.title')}</p>
        <p>{t('thankYou.pending.text')}</p>
      </div>
      <div className="claim-actions">
        <button type="button" className="button" onClick={() => refresh.mutate()}>
          {refresh.isPending ? t('thankYou.pending.refreshing') : t('thankYou.pending.refresh')}
        </button>
        <button type="button" className="button" onClick={onBookAgain}>
          {t('thankYou.pending.bookAgain')}
        </button>
      </div>
    </div>
  )
}

function Shipments({ bookings }: { readonly bookings: readonly Booking[] }) {
  const { t } = useTranslation('payment')
  return (
    <>
      <ol className="claim-shipments">
        {bookings.map((booking, index) => (
          // Legs have no id of their own; their order never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} className="claim-shipment">
            {bookings.length > 1 ? (
              <h3 className="claim-leg">
                {t('thankYou.leg', { number: index + 1, total: bookings.length })}
              </h3>
            ) : null}
            <Shipment booking={booking} />
          </li>
        ))}
      </ol>
      <section className="claim-next">
        <h3 className="claim-leg">{t('thankYou.next')}</h3>
        <ol>
          <li>{t('thankYou.steps.save')}</li>
          <li>{t('thankYou.steps.hand')}</li>
          <li>{t('thankYou.steps.collect')}</li>
        </ol>
      </section>
    </>
  )
}

function Shipment({ booking }: { readonly booking: Booking }) {
  const { t } = useTranslation('payment')
  const language = useLanguage()
  const { awb, origin, destination } = booking
  return (
    <>
      {awb === null ? (
        <Loading label={t('thankYou.issuing')} size="page" />
      ) : (
        <AirwayBill awb={awb} downloadHref={operationHref(readLabelPdf, { awb }, { download: '1' })} />
      )}
      <dl className="claim-places">
        <Fact name={t('thankYou.origin')}>
          <PlaceView place={origin} language={language} />
        </Fact>
        <Fact name={t('thankYou.destination')}>
          <PlaceView place={destination} language={language} />
        </Fact>
      </dl>
    </>
  )
}
