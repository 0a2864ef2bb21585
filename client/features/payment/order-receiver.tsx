import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { keepingOrders } from '#client/entities/order/kept-orders.ts'
import { ReceiverFacts } from '#client/entities/order/receiver-facts.tsx'
import { ReceiverPart } from '#client/entities/order/receiver-form.tsx'
import { call } from '#client/platform/call.ts'
import { isTransient, operationKey } from '#client/platform/query-client.ts'
import { changeReceiver, readOrder } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import styles from './result-screen.module.css'
import { ShareJourney } from './share-journey.tsx'

interface OrderReceiverProps {
  readonly order: Order
  /** The server cannot be reached: nothing is offered that needs it. */
  readonly isCutOff: boolean
  /** Called when the server refused a change, because the order is not as it is shown. */
  readonly onRefused: () => unknown
}

/** Who collects the bags of an order: named until the courier is asked, and offered the link to their journey. */
export function OrderReceiver({ order, isCutOff, onRefused }: OrderReceiverProps) {
  const { t } = useTranslation('payment')
  const titleId = useId()
  const save = useSave(order.orderId, onRefused)
  const isOpen = order.status === 'PAID' || order.payable
  // The name on the airway bill is known as soon as the courier is asked for it.
  const isPrinted = order.bookings.some(({ awb, receiver }) => awb !== null || receiver !== undefined)
  const mayChange = isOpen && !isCutOff && !isPrinted
  const isNamed = order.receiver !== undefined || order.secondPhone !== undefined
  if (!isOpen || !(mayChange || isNamed)) return null
  return (
    <section className={styles.receiver} aria-labelledby={titleId} data-screen>
      <h2 id={titleId} className={styles.receiverTitle}>
        {t('receiver.title')}
      </h2>
      {mayChange ? (
        <ReceiverPart named={order} own={<p>{t('receiver.own')}</p>} onSave={save} />
      ) : (
        <ReceiverFacts named={order} />
      )}
      {order.status === 'PAID' && order.receiver !== undefined && !isCutOff ? (
        <>
          <p>{t('receiver.share')}</p>
          <ShareJourney orderId={order.orderId} />
        </>
      ) : null}
    </section>
  )
}

function useSave(orderId: number, onRefused: () => unknown) {
  const queries = useQueryClient()
  const id = String(orderId)
  return async ({ receiver, secondPhone }: NamedReceiver) => {
    const body = { receiver: receiver ?? null, secondPhone: secondPhone ?? null }
    const answer = call(changeReceiver, { params: { id }, body })
    try {
      const changed = await keepingOrders(answer, ({ order }) => [order], id)
      queries.setQueryData(operationKey(readOrder, { id }), changed)
    } catch (error) {
      if (!isTransient(error)) onRefused()
      throw error
    }
  }
}
