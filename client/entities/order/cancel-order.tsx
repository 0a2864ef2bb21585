import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, isCallProblem, problemText } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { isTransient, operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { Button } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { cancelOrder, listUserOrders, readOrder, refundDays } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import styles from './cancel-order.module.css'
import { keepingOrders } from './kept-orders.queries.ts'

interface CancelOrderProps {
  readonly order: Order
  /** Called after the server has cancelled the order, or has refused because the order changed. */
  readonly onChanged: () => unknown
}

/** A quiet button that cancels an order after a dialog; nothing while it cannot be cancelled. */
export function CancelOrder(props: CancelOrderProps) {
  return props.order.cancellable ? <CancelButton {...props} /> : null
}

function CancelButton(props: CancelOrderProps) {
  const { t } = useTranslation('cancel-order')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setIsOpen(true)}>
        {t('open')}
      </Button>
      {isOpen ? <CancelDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

interface CancelDialogProps extends CancelOrderProps {
  readonly onClose: () => void
}

/** The consequences of a cancellation, and the button that cancels. */
function CancelDialog({ order, onChanged, onClose }: CancelDialogProps) {
  const { t } = useTranslation('cancel-order')
  const isOffline = useConnection() === 'offline'
  const cancel = useCancel(order.orderId, onChanged, onClose)
  const isPaid = order.status === 'PAID'
  const isUnanswered = !isCallProblem(cancel.error) || cancel.error.status === 0
  // Another try cannot succeed: the order has changed since it was shown.
  const isRefused = cancel.isError && isCallProblem(cancel.error) && !isTransient(cancel.error)
  return (
    <Overlay kind="full" title={t('title')} onClose={onClose} isLocked={cancel.isPending}>
      {isPaid ? <PaidConsequences order={order} /> : <p>{t('unpaid')}</p>}
      {isOffline || cancel.isError ? (
        <Note tone="pending" icon={isOffline ? 'offline' : 'alert'} role="alert">
          {isOffline ? t('offline') : isUnanswered ? t('failed') : problemText(cancel.error)}
        </Note>
      ) : null}
      <div className={`${layout.grid} ${layout.gap3} ${styles.ways}`}>
        {isRefused ? null : (
          <Button isWide isBusy={cancel.isPending || isOffline} onClick={() => cancel.mutate()}>
            {cancel.isPending ? t('confirming') : t(isPaid ? 'confirm.paid' : 'confirm.unpaid')}
          </Button>
        )}
        {/* The browser would focus the first button, which cancels. */}
        <Button look="primary" isWide isBusy={cancel.isPending} onClick={onClose} data-start>
          {t(isRefused ? 'close' : 'keep')}
        </Button>
      </div>
    </Overlay>
  )
}

/** What is returned of the money, when, and that the bag is not carried. */
function PaidConsequences({ order: { amount, refund } }: Pick<CancelDialogProps, 'order'>) {
  const { t } = useTranslation('cancel-order')
  const language = useLanguage()
  const returned = refund?.state === 'done' && refund.reason === 'operator' ? refund.amount : 0
  const rest = amount === undefined ? undefined : formatMoney(Math.round((amount - returned) * 100), language)
  const key = returned > 0 ? 'paid.rest' : 'paid.amount'
  return (
    <>
      <p>{rest === undefined ? t('paid.money') : t(key, { amount: rest })}</p>
      <p>{t('paid.days', { days: refundDays })}</p>
      <p>{t('paid.bag')}</p>
    </>
  )
}

/** Cancels an order. */
export function useCancel(orderId: number, onChanged?: () => unknown, onClose?: () => void) {
  const queries = useQueryClient()
  const id = String(orderId)
  return useSingleMutation({
    mutationFn: (_, keyOf) =>
      // The answer also takes the pass off the phone, whether or not the page can be loaded again.
      keepingOrders(
        call(cancelOrder, { params: { id }, headers: { 'idempotency-key': keyOf() } }),
        ({ order }) => [order],
        id,
      ),
    onSuccess: (answer) => {
      queries.setQueryData(operationKey(readOrder, { id }), answer)
      void queries.invalidateQueries({ queryKey: operationKey(listUserOrders).slice(0, 2) })
      onClose?.()
      onChanged?.()
    },
    onError: (error) => {
      if (!isTransient(error)) onChanged?.()
    },
  })
}
