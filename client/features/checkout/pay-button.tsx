import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { AcceptedTerms } from '#client/entities/purchase/purchase-facts.tsx'
import { StopText } from '#client/entities/stop/stop-text.tsx'
import { call, isCallProblem } from '#client/platform/call.ts'
import { useBfcacheRestore } from '#client/platform/document.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { newIdempotencyKey } from '#client/platform/idempotency-key.ts'
import { logFailure } from '#client/platform/log.ts'
import { paths } from '#client/platform/paths.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { Note } from '#client/ui/note.tsx'
import { showToast } from '#client/ui/toast.tsx'
import { useSettling } from '#client/ui/use-settling.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import type { Stop } from '#shared/platform/stop.ts'
import styles from './checkout.module.css'
import { isOrderOver } from './checkout.rules.ts'

export interface OrderingProps {
  /** The Idempotency-Key this draft was sent with before, if it was. */
  readonly orderKey: string | undefined
  /** Stores the key synchronously. It is kept until the draft changes, across reloads and the payment document. */
  readonly onOrderKey: (key: string) => void
  /** The receiver's name is being edited and not saved: paying now would use the previous name. */
  readonly isReceiverOpen: boolean
  /** Called with the started payment and the Idempotency-Key that created it. */
  readonly onStarted: (
    payment: { orderId: number; clientSecret: string; publicKey: string },
    key: string,
  ) => void
}

interface PayButtonProps extends OrderingProps {
  readonly request: CheckoutRequest
  readonly totalHalalas: number
  /** A known stop that prevents this booking. The server makes the final decision. */
  readonly stop: Stop | undefined
  /** The user has not yet confirmed that a very short name is complete. */
  readonly isNameShort: boolean
  readonly onNameShort: () => void
  /** True from the press until the payment document opens: the form must not change meanwhile. */
  readonly onBusy: (isBusy: boolean) => void
}

export const payButtonId = 'pay'

/** Creates the order, or reopens the payment of the order this draft was sent for, and shows why that failed. */
export function PayButton({
  request,
  totalHalalas,
  stop,
  isNameShort,
  onNameShort,
  onBusy,
  isReceiverOpen,
  orderKey,
  onOrderKey,
  onStarted,
}: PayButtonProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const queryClient = useQueryClient()
  const start = useSingleMutation({
    mutationFn: (body: CheckoutRequest) => startOrder(body, orderKey, onOrderKey),
    onSuccess: ({ payment, key }) => {
      showToast(t('redirecting'), { tone: 'good' })
      onStarted(payment, key)
    },
    onError: (error) => {
      logFailure('checkout failed', error)
      // Another attempt cannot succeed. The configuration is read again, so that other pages show the stop, too.
      if (isCallProblem(error) && error.stop) void queryClient.invalidateQueries(configQuery)
      // A refusal is announced where it is displayed, so its toast is silent.
      else showToast(t('failed'), { isAnnounced: !isCallProblem(error) })
    },
  })
  useBfcacheRestore(start.reset)
  const settling = useSettling()
  const [isHeld, setIsHeld] = useState(false)
  const heldBy = isReceiverOpen ? 'unsaved' : isNameShort ? 'nameAsked' : undefined
  useEffect(() => {
    if (heldBy === undefined) setIsHeld(false)
  }, [heldBy])

  // Still busy after success: loading the payment page takes time, and a second tap must not start over.
  const isBusy = start.isPending || start.isSuccess
  useEffect(() => onBusy(isBusy), [isBusy, onBusy])
  const refusal = isCallProblem(start.error) ? start.error : undefined

  function press(): void {
    if (heldBy === undefined) {
      start.mutate(request)
      return
    }
    setIsHeld(true)
    if (heldBy === 'nameAsked') onNameShort()
  }

  return (
    // On phones this button has the same place as the button on the page before: a double tap must not pay.
    <div className={`${buttonStyles.dock} ${styles.pay}`} {...settling}>
      {isHeld && heldBy !== undefined ? (
        <InSight>
          <p role="alert">{t(`receiver.${heldBy}`)}</p>
        </InSight>
      ) : null}
      {/* An order that was already created can be paid in spite of a stop. */}
      {stop !== undefined && orderKey === undefined && refusal === undefined ? <Stopped stop={stop} /> : null}
      {refusal === undefined ? null : (
        <InSight key={start.submittedAt}>
          <Refusal problem={refusal} />
        </InSight>
      )}
      <AcceptedTerms className={styles.terms} />
      <Button id={payButtonId} look="primary" isWide isBusy={isBusy} onClick={press}>
        {isBusy ? t('processing') : t('pay', { amount: formatMoney(totalHalalas, language) })}
      </Button>
    </div>
  )
}

function Stopped({ stop }: { readonly stop: Stop }) {
  return (
    <Note tone="pending" icon="alert" className={styles.refusal}>
      <div>
        <StopText stop={stop} />
      </div>
    </Note>
  )
}

/** Scrolls a new message into the viewport, also when the dock does not stick to the bottom edge. */
function InSight({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  // It scrolls before the message is painted.
  useLayoutEffect(() => {
    const place = box.current?.getBoundingClientRect()
    if (place && (place.top < 0 || place.bottom > window.innerHeight))
      box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Note tone="error" icon="alert" className={styles.refusal} ref={box}>
      {children}
    </Note>
  )
}

interface RefusalProps {
  readonly problem: {
    code: string
    message: string
    fields: readonly { field: string; message: string }[]
    stop: Stop | undefined
  }
}

/** The server's reasons, with a link to the orders when too many are unpaid. */
function Refusal({ problem }: RefusalProps) {
  const { t } = useTranslation('checkout')
  if (problem.stop)
    return (
      <div role="alert">
        <StopText stop={problem.stop} />
      </div>
    )
  return (
    <div role="alert">
      <p>{problem.message}</p>
      {problem.fields.length > 0 ? (
        <ul>
          {problem.fields.map(({ field, message }) => (
            <li key={field}>{message}</li>
          ))}
        </ul>
      ) : null}
      {problem.code === 'TOO_MANY_OPEN_ORDERS' ? <Link to={paths.orders}>{t('earlierOrders')}</Link> : null}
    </div>
  )
}

/**
 * Sends the draft with its previous Idempotency-Key, so that a user who returns from the card form pays the same order. When
 * that order has expired or was refunded, or the fare has changed, a new key creates a new order.
 */
async function startOrder(
  body: CheckoutRequest,
  previousKey: string | undefined,
  onOrderKey: (key: string) => void,
) {
  if (previousKey !== undefined) {
    try {
      return await startCheckout(body, previousKey)
    } catch (error) {
      if (!isCallProblem(error) || !isOrderOver(error.code)) throw error
    }
  }
  const key = newIdempotencyKey()
  // The key is stored before the request, because the answer may be lost.
  onOrderKey(key)
  return startCheckout(body, key)
}

async function startCheckout(body: CheckoutRequest, key: string) {
  return { payment: await call(checkout, { body, headers: { 'idempotency-key': key } }), key }
}
