import { useCancel } from '#client/entities/order/cancel-order.tsx'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { Money } from '#client/ui/money.tsx'
import { Problem } from '#client/ui/problem.tsx'
import type { PaidOrder } from '#shared/platform/problem.ts'

/** Paid orders that prevent the deletion of an account, each with its amount and a button to cancel it. */
export function PaidOrders({ orders }: { readonly orders: readonly PaidOrder[] }) {
  const { t } = useTranslation('account')
  if (orders.length === 0) return null
  return (
    <>
      <ul>
        {orders.map((order) => (
          <PaidOrderItem key={order.orderId} order={order} />
        ))}
      </ul>
      {orders.every(({ cancellable }) => !cancellable) ? <p>{t('remove.paid.lost')}</p> : null}
    </>
  )
}

function PaidOrderItem({ order }: { readonly order: PaidOrder }) {
  const { t } = useTranslation('account')
  return (
    <li>
      <strong>
        <OrderNumber orderId={order.orderId} />
      </strong>{' '}
      <Money halalas={Math.round(order.amount * 100)} />
      {order.cancellable ? (
        <Cancellation orderId={order.orderId} />
      ) : (
        <p>{t('remove.paid.notCancellable')}</p>
      )}
    </li>
  )
}

/** Cancels an order without another dialog: the open dialog of the deletion already explains cancelling. */
function Cancellation({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation(['account', 'cancel-order'])
  const cancel = useCancel(orderId)
  if (cancel.isSuccess) return <p role="status">{t('remove.paid.cancelled')}</p>
  return (
    <>
      <p>{t('remove.paid.cancellable')}</p>
      <Problem error={cancel.error} />
      <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        {t(cancel.isPending ? 'cancel-order:confirming' : 'cancel-order:confirm.paid')}
      </Button>
    </>
  )
}
