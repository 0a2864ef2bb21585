import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CancelOrder } from '#client/entities/order/cancel-order.tsx'
import type { Kept } from '#client/entities/order/kept-orders.queries.ts'
import { isWithdrawn, knownStatus } from '#client/entities/order/order-card.rules.ts'
import { usePayAgain } from '#client/entities/order/pay-again.ts'
import { RefundNote } from '#client/entities/order/refund-note.tsx'
import { useConnection } from '#client/platform/connection.ts'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import { ClaimLeg } from './claim-leg.tsx'
import { isReady, isVoid, journeyOf, threadOf } from './order-result.rules.ts'
import { OrderSlip, OrderStatusBadge } from './order-slip.tsx'
import { ResultHelp, ResultScreen } from './result-screen.tsx'
import { ShareJourney } from './share-journey.tsx'
import { ThreadPicture } from './thread-picture.tsx'
import './claim.texts.ts'
import '#client/entities/order/journey.texts.ts'
import './payment.texts.ts'
import '#client/ui/buttons.css'

interface OrderResultProps {
  readonly order: Order
  readonly maxWeightKg?: number | undefined
  /** Not the server's present answer. */
  readonly kept?: Kept | undefined
  /** After a payment, an order that is not paid yet is being checked; otherwise it is unpaid. */
  readonly isAfterPayment?: boolean
  readonly onRefresh: () => Promise<unknown>
  readonly onBookAgain: () => void
  /** Makes it a dialog, closed by Escape, too. */
  readonly onClose?: (() => void) | undefined
}

/** One order: the pass of a paid one, and what to know and to do for any other. */
export function OrderResult(props: OrderResultProps) {
  const { order, kept, onClose } = props
  useEscape(onClose)
  const foot = (
    <>
      <Facts order={order} />
      <Foot
        receiptOf={order.hasReceipt === true && kept === undefined ? order.orderId : undefined}
        shareOf={order.status === 'PAID' && kept === undefined ? order.orderId : undefined}
        onClose={onClose}
      >
        {isBeingPaid(props) ? null : <CancelOrder order={order} onChanged={props.onRefresh} />}
      </Foot>
    </>
  )
  return order.status === 'PAID' ? <Claim {...props}>{foot}</Claim> : <Unpaid {...props}>{foot}</Unpaid>
}

/** While a payment is being checked there is nothing to decide yet. */
const isBeingPaid = ({ order, isAfterPayment = false }: OrderResultProps) =>
  isAfterPayment && order.status === 'PENDING_PAYMENT' && order.refund === undefined

function useEscape(onClose: (() => void) | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Escape in a modal dialog closes only that.
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])
}

type PartProps = OrderResultProps & { readonly children: ReactNode }

function Claim({ order, maxWeightKg, kept, onClose, children }: PartProps) {
  const { t } = useTranslation('payment')
  const { t: ofClaim } = useTranslation('claim')
  const { t: ofJourney } = useTranslation('journey')
  const onTheWay = journeyOf(order)
  const title = onTheWay
    ? ofJourney(`state.${onTheWay}`)
    : !isReady(order)
      ? ofClaim('issuing')
      : kept === undefined
        ? t('thankYou.claim.PAID')
        : ofClaim('kept')
  const legs = legsOf(order.type)
  const isReturn = order.bookings.length > 1
  return (
    <ResultScreen
      title={title}
      isClaim
      isDialog={onClose !== undefined}
      note={kept === undefined ? <BookedNote /> : <KeptNote {...kept} />}
    >
      {order.bookings.map((booking, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
        <div key={index} className="claim">
          {isReturn ? (
            <h2 className="claim-leg-title">
              {t('thankYou.leg', { number: index + 1, total: order.bookings.length })}
            </h2>
          ) : null}
          <ClaimLeg
            orderId={order.orderId}
            booking={booking}
            leg={legs[index] ?? { from: 'agent', to: 'center' }}
            maxWeightKg={maxWeightKg}
            isCutOff={kept !== undefined}
            isFirst={index === 0}
            isOnThread={!isReturn}
          />
        </div>
      ))}
      {order.refund ? (
        <div role="status">
          <RefundNote refund={order.refund} />
        </div>
      ) : null}
      {children}
    </ResultScreen>
  )
}

function BookedNote() {
  const { t } = useTranslation('claim')
  return (
    <p className="result-note result-note-good">
      <Icon name="tick" />
      {t('booked')}
    </p>
  )
}

function KeptNote({ knownAt, reason }: Kept) {
  const { t } = useTranslation('claim')
  const language = useLanguage()
  const isOffline = useConnection() === 'offline'
  const time = formatDateTime(new Date(knownAt).toISOString(), language)
  return (
    <p className="result-note result-note-waiting">
      <Icon name="offline" />
      <span>
        {t(isOffline ? 'offline' : reason === 'waiting' ? 'waiting' : 'unreachable')}{' '}
        <bdi>{t('knownAt', { time })}</bdi>
      </span>
    </p>
  )
}

/** An order that no bag travels on: unpaid, expired, refunded, or of a status this version does not know. */
function Unpaid(props: PartProps) {
  const { order, isAfterPayment = false, onClose, children } = props
  const { t } = useTranslation('payment')
  const { t: ofClaim } = useTranslation('claim')
  const { status, refund } = order
  const isUnpaid = status === 'PENDING_PAYMENT' && !refund && !isAfterPayment
  const isChecked = status === 'PENDING_PAYMENT' && !refund && isAfterPayment
  const isUnconfirmed = useIsLate(isChecked) && order.payable
  const heading = refund ? (`refund-${refund.state}` as const) : (knownStatus(status) ?? 'other')
  return (
    <ResultScreen
      title={isUnpaid ? ofClaim('unpaid.title') : t(`thankYou.claim.${heading}`)}
      picture={<ThreadPicture state={threadOf(order)} />}
      lead={<Lead order={order} isUnpaid={isUnpaid} isUnconfirmed={isUnconfirmed} />}
      isAlert={isChecked}
      isDialog={onClose !== undefined}
    >
      <OrderSlip order={order} isVoid={isVoid(order)} />
      {refund ? (
        <div role="status">
          <RefundNote refund={refund} />
        </div>
      ) : null}
      {/* A note of a refund that needs help names it. */}
      {refund?.state === 'needs-help' ? null : <ResultHelp />}
      <NextStep {...props} isUnpaid={isUnpaid} isChecked={isChecked} isUnconfirmed={isUnconfirmed} />
      {children}
    </ResultScreen>
  )
}

/** A confirmation that has not come by then may never come: the address alone proves no payment. */
export const lateAfterMs = 15_000

function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    setIsLate(false)
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLate(true), lateAfterMs)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isLate
}

interface LeadProps {
  readonly order: Order
  readonly isUnpaid: boolean
  readonly isUnconfirmed: boolean
}

function Lead({ order, isUnpaid, isUnconfirmed }: LeadProps) {
  const { t } = useTranslation('payment')
  const { t: ofClaim } = useTranslation('claim')
  const { status, refund, payable } = order
  if (isUnpaid) return <p>{ofClaim('unpaid.text')}</p>
  if (knownStatus(status) === undefined) return <p>{t('thankYou.unknownStatus')}</p>
  // The text also holds when a second, correct payment has been made and is not confirmed yet.
  if (refund && payable) return <p>{t('thankYou.payFull')}</p>
  if (status === 'PENDING_PAYMENT' && !refund)
    return <p>{t(isUnconfirmed ? 'thankYou.pending.unconfirmed' : 'thankYou.pending.text')}</p>
  if (status === 'EXPIRED') return <p>{t(refund ? 'thankYou.expiredAfterRefund' : 'thankYou.expired')}</p>
  if (status === 'CANCELLED')
    return (
      <>
        <p>{t(refund ? 'thankYou.cancelled' : 'thankYou.dropped')}</p>
        {order.bookings.some(({ awb }) => awb !== null) ? <p>{ofClaim('void')}</p> : null}
      </>
    )
  if (status === 'REFUNDED')
    return (
      <>
        {refund ? null : <p>{t('thankYou.refunded')}</p>}
        <p>{ofClaim('void')}</p>
      </>
    )
  return null
}

interface NextStepProps extends OrderResultProps {
  readonly isUnpaid: boolean
  /** It is being asked whether a payment was made. */
  readonly isChecked: boolean
  readonly isUnconfirmed: boolean
}

function NextStep({ order, isUnpaid, isChecked, isUnconfirmed, onRefresh, onBookAgain }: NextStepProps) {
  const { t } = useTranslation('payment')
  const { status, refund, payable, orderId } = order
  // The page also polls: only a refresh by button shows progress on the button.
  const refresh = useMutation({ mutationFn: onRefresh })
  const bookAgain = (className: string) => (
    <button type="button" className={className} onClick={onBookAgain}>
      {t('thankYou.pending.bookAgain')}
    </button>
  )
  const isPayable = payable && (isUnpaid || refund !== undefined)
  const isOver = status === 'EXPIRED' || isWithdrawn(status)
  if (!isChecked && !isPayable && !isOver) return null
  return (
    <div className="dock result-actions">
      {isPayable ? <PayAgain orderId={orderId} isFirstTry={isUnpaid} /> : null}
      {isChecked ? (
        <>
          <button
            type="button"
            className="button button-primary button-wide"
            onClick={() => refresh.mutate()}
          >
            <Icon name="refresh" />
            {refresh.isPending ? t('thankYou.pending.refreshing') : t('thankYou.pending.refresh')}
          </button>
          {/* Before it opens another payment the server asks the provider about the last one. */}
          {isUnconfirmed ? <PayAgain orderId={orderId} isFirstTry className="button button-wide" /> : null}
          {bookAgain('button button-quiet')}
        </>
      ) : null}
      {isOver ? bookAgain('button button-primary button-wide') : null}
    </div>
  )
}

interface PayAgainProps {
  readonly orderId: number
  readonly isFirstTry?: boolean
  readonly className?: string
}

export function PayAgain({
  orderId,
  isFirstTry = false,
  className = 'button button-primary button-wide',
}: PayAgainProps) {
  const { t } = useTranslation('payment')
  const { pay, isBusy, problem } = usePayAgain(orderId)
  const name = t(isFirstTry ? 'thankYou.failure.pay' : 'thankYou.failure.payAgain')
  return (
    <>
      {problem === undefined ? null : (
        <p className="result-problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className={className} disabled={isBusy} onClick={pay}>
        {isBusy ? t('thankYou.failure.opening') : name}
      </button>
    </>
  )
}

function Facts({ order }: { readonly order: Order }) {
  const { t } = useTranslation('payment')
  return (
    <dl className="result-facts">
      <Fact name={t('thankYou.type')}>{t(`thankYou.types.${order.type}`)}</Fact>
      <Fact name={t('thankYou.transactionId')}>
        {order.transactionId ? <Ltr>{order.transactionId}</Ltr> : t('thankYou.noTransaction')}
      </Fact>
      {order.status === 'PAID' ? (
        <Fact name={t('thankYou.statusLabel')}>
          <OrderStatusBadge status={order.status} />
        </Fact>
      ) : null}
    </dl>
  )
}

/** A name and its value. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface FootProps {
  /** The order whose receipt can be read now. */
  readonly receiptOf: number | undefined
  /** The order whose journey can be shared now. */
  readonly shareOf: number | undefined
  readonly onClose: (() => void) | undefined
  readonly children: ReactNode
}

/** Closing leads to a new booking (spec §2), so the way to the orders stands beside it. */
function Foot({ receiptOf, shareOf, onClose, children }: FootProps) {
  const { t } = useTranslation('payment')
  return (
    <div className="result-foot">
      {shareOf === undefined ? null : <ShareJourney orderId={shareOf} />}
      {receiptOf === undefined ? null : (
        // A plain link: the browser shows the file, and in-app browsers and iOS often refuse files made by scripts.
        <a
          className="button"
          href={operationHref(readReceiptPdf, { id: receiptOf })}
          target="_blank"
          rel="noopener"
        >
          <Icon name="receipt" />
          {t('receipt')}
        </a>
      )}
      <Link className="button" to={paths.orders}>
        <Icon name="tag" />
        {t('toOrders')}
      </Link>
      {onClose === undefined ? null : (
        <button type="button" className="button button-quiet" onClick={onClose}>
          {t('thankYou.close')}
        </button>
      )}
      {children}
    </div>
  )
}
