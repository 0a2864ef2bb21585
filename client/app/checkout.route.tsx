import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { ReceiverPart } from '#client/entities/order/receiver-form.tsx'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { BegunBooking, SameReceiver } from '#client/features/checkout/again.tsx'
import { CheckoutPage } from '#client/features/checkout/checkout.page.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'
import { OwnEmail } from '#client/features/sessions/own-email.tsx'
import { openDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { againParameter, paths } from '#client/platform/paths.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { preconnectTo } from './preconnect.ts'
import { SameWay } from './same-way.tsx'

/** The review; an address that names an order fills in its way first. */
export function CheckoutRoute() {
  const orderKey = useSearchParams()[0].get(againParameter)
  // The next document loads its script from there.
  preconnectTo(useLoadedConfig().widget.script)
  return orderKey === null ? <Review /> : <SameWay orderKey={orderKey} />
}

/** Checkout with the form for the receiver's name. */
function Review() {
  const { t } = useTranslation('receiver')
  const { state, dispatch } = useBooking()
  const [isEditing, setIsEditing] = useState(false)
  const named = state.named ?? {}
  const onNamed = (next: NamedReceiver) => dispatch({ type: 'named', named: next })
  const { again, aside } = state
  return (
    <CheckoutPage
      draft={state.draft}
      orderKey={state.order?.key}
      earlierOrderId={state.earlierOrderId}
      onOrderKey={(key) => dispatch({ type: 'ordering', key })}
      named={named}
      printedName={again?.printedName}
      notice={aside === undefined ? null : <BegunBooking onResume={() => dispatch({ type: 'resumed' })} />}
      receiver={
        <>
          <ReceiverPart
            draft="receiver"
            named={named}
            own={<OwnDetails nameLabel={t('name')} onEditing={setIsEditing} />}
            onSave={onNamed}
            onEditing={setIsEditing}
            isHeld={isEditing}
          />
          <SameReceiver offered={again?.receiver} named={named} isHeld={isEditing} onChange={onNamed} />
        </>
      }
      email={<OwnEmail kind="line" />}
      isReceiverOpen={isEditing}
      onStarted={(payment, key) => {
        dispatch({ type: 'ordered', key, orderId: payment.orderId })
        openDocument(paths.payment(payment))
      }}
    />
  )
}
