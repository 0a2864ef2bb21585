import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { hasPass } from '#client/entities/order/order-card.rules.ts'
import { ReceiverFacts } from '#client/entities/order/receiver-facts.tsx'
import { ReceiverPart } from '#client/entities/order/receiver-form.tsx'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { isTransient, operationKey } from '#client/platform/query-client.ts'
import { classes } from '#client/ui/classes.ts'
import { Fact } from '#client/ui/fact.tsx'
import { takeFocus } from '#client/ui/focus.ts'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { changeReceiver, readOrder } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import styles from './result-screen.module.css'

interface OrderReceiverProps {
  readonly order: Order
  /** The key by which the page reads the order. */
  readonly orderKey: string
  /** The server cannot be reached: actions that need it are not offered. */
  readonly isCutOff: boolean
  /** Called when the server refused a change, because the order on screen is outdated. */
  readonly onRefused: () => unknown
  /** Whether the form was opened. The page keeps this state, because a payment replaces the parts of the page. */
  readonly isEditing: boolean
  readonly onEditing: (isEditing: boolean) => void
}

/** The name on the airway bill is fixed as soon as the airway bill is requested from the courier. */
export const isPrinted = ({ bookings }: Pick<Order, 'bookings'>): boolean =>
  bookings.some(({ awb, receiver }) => awb !== null || receiver !== undefined)

/** The receiver of an order's bags. The owner can name one until the airway bill is requested. */
export function OrderReceiver(props: OrderReceiverProps) {
  const { order, isCutOff, isEditing, onEditing } = props
  const { t } = useTranslation('payment')
  const titleId = useId()
  const save = useSave(props)
  const isOpen = hasPass(order) || order.payable
  // The form keeps the typed text when the connection is lost.
  const mayChange = !isPrinted(order) && (isEditing || !isCutOff)
  const isNamed = order.receiver !== undefined || order.secondPhone !== undefined
  if (!isOpen || !(mayChange || isNamed || isEditing)) return null
  return (
    <section
      className={classes(layout.stack, layout.gap2, styles.receiver)}
      aria-labelledby={titleId}
      data-screen
    >
      <h2 id={titleId}>{t('receiver.title')}</h2>
      {isPrinted(order) && isEditing ? <TooLate bookings={order.bookings} /> : null}
      {mayChange ? (
        <ReceiverPart
          draft={`receiver-${order.orderId}`}
          named={order}
          own={<p>{t('receiver.own')}</p>}
          onSave={save}
          onEditing={onEditing}
          isOpen={isEditing}
          isCutOff={isCutOff}
        />
      ) : (
        <ReceiverFacts named={order} />
      )}
    </section>
  )
}

/**
 * Replaces the form when the airway bill was requested while the form was open, or when the server refused the change for that
 * reason.
 */
function TooLate({ bookings }: Pick<Order, 'bookings'>) {
  const { t } = useTranslation('payment')
  const { t: ofPass } = useTranslation('pass')
  const name = bookings.find(({ receiver }) => receiver !== undefined)?.receiver
  return (
    <Note tone="error" icon="alert" role="alert" ref={takeFocus} tabIndex={-1}>
      <div>
        <p>{t('receiver.late')}</p>
        {name === undefined ? null : (
          <dl>
            <Fact name={ofPass('receiver')}>
              <bdi>{name}</bdi>
            </Fact>
          </dl>
        )}
      </div>
    </Note>
  )
}

function useSave({ order, orderKey, onRefused }: OrderReceiverProps) {
  const queries = useQueryClient()
  const id = String(order.orderId)
  return async ({ receiver, secondPhone }: NamedReceiver) => {
    const body = { receiver: receiver ?? null, secondPhone: secondPhone ?? null }
    const answer = call(changeReceiver, { params: { id }, body })
    try {
      const changed = await keepingOrders(answer, ({ order }) => [order], id)
      // After a payment the page reads the order by the reference of the payment.
      for (const key of new Set([id, orderKey])) {
        const queryKey = operationKey(readOrder, { id: key })
        // The answer to an earlier request must not overwrite the change.
        await queries.cancelQueries({ queryKey })
        queries.setQueryData(queryKey, changed)
      }
    } catch (error) {
      if (!isTransient(error)) onRefused()
      throw error
    }
  }
}
