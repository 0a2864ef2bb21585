import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckoutPage, type CheckoutPageProps } from '#client/features/checkout/checkout.page.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'

/** The checkout page with the sessions feature's name form; a chunk of its own. Features do not import each other. */
export function CheckoutWithReceiver(props: Omit<CheckoutPageProps, 'receiver' | 'isReceiverOpen'>) {
  const { t } = useTranslation('checkout')
  const [isEditing, setIsEditing] = useState(false)
  return (
    <CheckoutPage
      {...props}
      receiver={<OwnDetails nameLabel={t('receiver.name')} onEditing={setIsEditing} />}
      isReceiverOpen={isEditing}
    />
  )
}
