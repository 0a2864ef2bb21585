import { type ReactNode, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { knownStatus, toneOf } from '#client/entities/order/order-card.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import './thank-you.css'
import './payment.texts.ts'
import '#client/ui/buttons.css'

interface OrderResultProps {
  readonly order: Order
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The heading: the refund when there is one, except for an order that stays paid after a second payment is refunded. */
function headingOf({ status, refund }: Order) {
  if (refund && status !== 'PAID') return `refund-${refund.state}` as const
  return knownStatus(status) ?? 'other'
}

/** A non-modal dialog, closed by Escape: the top bar stays usable. */
export function OrderResult({ order, onClose, children }: OrderResultProps) {
  const { t } = useTranslation('payment')
  const titleId = useId()
  const status = knownStatus(order.status)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])

  return (
    <div className="claim" role="dialog" aria-labelledby={titleId}>
      {/* A live region: the heading changes from waiting to paid while the page is open. */}
      <div role="status">
        <h2 className="claim-title" id={titleId}>
          {t(`thankYou.claim.${headingOf(order)}`)}
        </h2>
      </div>
      <dl className="claim-facts">
        <Fact name={t('thankYou.orderId')}>
          <OrderNumber orderId={order.orderId} />
        </Fact>
        <Fact name={t('thankYou.type')}>{t(`thankYou.types.${order.type}`)}</Fact>
        <Fact name={t('thankYou.transactionId')}>
          {order.transactionId ? <Ltr>{order.transactionId}</Ltr> : t('thankYou.noTransaction')}
        </Fact>
        <Fact name={t('thankYou.statusLabel')}>
          <StatusBadge
            tone={toneOf(order.status)}
            text={status ? t(`thankYou.status.${status}`) : order.status}
          />
        </Fact>
      </dl>
      {children}
      <button type="button" className="button claim-close" onClick={onClose}>
        {t('thankYou.close')}
      </button>
    </div>
  )
}

/** A name and its value. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="claim-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
