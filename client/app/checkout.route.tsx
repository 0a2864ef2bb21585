import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { CheckoutPage } from '#client/features/checkout/checkout.page.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'
import { openDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { preconnectTo } from './preconnect.ts'
import { WithConfig } from './with-config.tsx'

/** Checkout with the form for the receiver's name. */
export function CheckoutRoute() {
  const { t } = useTranslation('checkout')
  const { state, dispatch } = useBooking()
  const { user } = useSession()
  const [isEditing, setIsEditing] = useState(false)
  if (user === null) return null
  return (
    <WithConfig>
      {({ fare, maxWeightKg, purchase, contact, widget }) => {
        // The next document loads its script from there.
        preconnectTo(widget.script)
        return (
          <CheckoutPage
            draft={state.draft}
            orderKey={state.order?.key}
            earlierOrderId={state.earlierOrderId}
            onOrderKey={(key) => dispatch({ type: 'ordering', key })}
            userId={user.id}
            fare={fare}
            maxWeightKg={maxWeightKg}
            purchase={purchase}
            helpPhone={contact.phone}
            receiverName={user.name}
            receiver={<OwnDetails nameLabel={t('receiver.name')} onEditing={setIsEditing} />}
            isReceiverOpen={isEditing}
            onStarted={(payment) => {
              dispatch({ type: 'ordered', orderId: payment.orderId })
              openDocument(paths.payment(payment))
            }}
          />
        )
      }}
    </WithConfig>
  )
}
