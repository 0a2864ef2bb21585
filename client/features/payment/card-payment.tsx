import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { reloadDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { Loading } from '#client/ui/loading.tsx'
import type { OpenedPayment } from '#shared/orders/orders.schemas.ts'
import { Alert, Expired } from './payment-alert.tsx'
import { containerId, type PaymentNotice, useCardWidget } from './use-card-widget.ts'
import type { WidgetAssets } from './widget.ts'
import './payment.css'
import './payment.texts.ts'
import '#client/ui/buttons.css'

interface CardPaymentProps {
  readonly opened: OpenedPayment
  readonly widget: WidgetAssets
}

/** The provider's card form for an order the server has confirmed, and the outcome of each attempt. */
export function CardPayment({ opened, widget }: CardPaymentProps) {
  const { t } = useTranslation('payment')
  const { state, round, notice, isExpired, isLeaving } = useCardWidget(opened, widget)
  const isShown = state === 'loading' || state === 'ready'
  return (
    <>
      <p className="payment-order">
        {t('order')} <OrderNumber orderId={opened.orderId} />
      </p>
      {isExpired ? <Expired /> : <p className="payment-lead">{t('lead')}</p>}
      {isExpired || notice === undefined ? null : <Notice key={notice.id} notice={notice} />}
      {isExpired || isShown || state === 'spent' ? null : (
        <Alert
          title={state === 'no-container' ? t('missingContainer') : t('widgetFailed')}
          // After a refusal a charge may have succeeded.
          text={round > 0 ? t('outcome.unclear') : t('widgetFailedHelp')}
        >
          {/* A new document: browsers remember a module that failed and do not load it again. */}
          <button type="button" className="button" onClick={reloadDocument}>
            {t('retry')}
          </button>
        </Alert>
      )}
      {/* Hidden, not unmounted, when the order expires: a charge under way must be able to finish. */}
      <div className="payment-frame" hidden={isExpired || !isShown}>
        {state === 'loading' ? <Loading label={t('loading')} /> : null}
        {/* Filled by the provider's script; React renders no children here. A new secret gets a new element, because the
            script cannot be removed from one it has used. */}
        <div key={round} id={containerId} className="payment-widget" />
      </div>
      <p className="payment-status" role="status">
        {isLeaving ? t('confirming') : null}
      </p>
      {/* A plain link: only a new document drops the content policy that allows the provider's script. */}
      {isExpired ? null : (
        <a className="payment-back" href={paths.checkout}>
          {t('backToReview')}
        </a>
      )}
    </>
  )
}

/** With a callback set the provider's widget shows no message of its own: the outcome is shown here. */
function Notice({ notice: { kind, reason, problem } }: { readonly notice: PaymentNotice }) {
  const { t } = useTranslation('payment')
  const alert = useRef<HTMLDivElement>(null)
  const replacesForm = kind !== 'declined' && kind !== 'unclear'
  // Before the alert is painted, so that it never appears outside the viewport.
  useLayoutEffect(() => {
    // The pressed button is at the end of a long form. Older browsers and jsdom lack scrollIntoView.
    alert.current?.scrollIntoView?.({ block: 'nearest' })
    // The focused button was removed together with its form.
    if (replacesForm) alert.current?.focus({ preventScroll: true })
  }, [replacesForm])
  return (
    <div className="payment-alert" role="alert" ref={alert} tabIndex={-1}>
      <p>{reason === undefined ? t(`outcome.${kind}`) : t('declinedBecause', { reason })}</p>
      {problem === undefined ? null : (
        <>
          <p>{problem}</p>
          <button type="button" className="button" onClick={reloadDocument}>
            {t('retry')}
          </button>
        </>
      )}
    </div>
  )
}
