import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { ReceiverPart } from '#client/entities/order/receiver-form.tsx'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { CheckoutPage } from '#client/features/checkout/checkout.page.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'
import { OwnEmail } from '#client/features/sessions/own-email.tsx'
import { openDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { preconnectTo } from './preconnect.ts'
import { WithConfig } from './with-config.tsx'

/** Checkout with the form for the receiver's name. */
export function CheckoutRoute() {
  const { t } = useTranslation('receiver')
  const { state, dispatch } = useBooking()
  const [isEditing, setIsEditing] = useState(false)
  const named = state.named ?? {}
  const widget = useQuery(configQuery).data?.widget
  // The next document loads its script from there.
  if (widget !== undefined) preconnectTo(widget.script)
  return (
    <WithConfig>
      <CheckoutPage
        draft={state.draft}
        orderKey={state.order?.key}
        earlierOrderId={state.earlierOrderId}
        onOrderKey={(key) => dispatch({ type: 'ordering', key })}
        named={named}
        receiver={
          <ReceiverPart
            named={named}
            own={<OwnDetails nameLabel={t('name')} onEditing={setIsEditing} />}
            onSave={(next) => dispatch({ type: 'named', named: next })}
            onEditing={setIsEditing}
            isHeld={isEditing}
          />
        }
        email={<OwnEmail kind="line" />}
        isReceiverOpen={isEditing}
        onStarted={(payment, key) => {
          dispatch({ type: 'ordered', key, orderId: payment.orderId })
          openDocument(paths.payment(payment))
        }}
      />
    </WithConfig>
  )
}
