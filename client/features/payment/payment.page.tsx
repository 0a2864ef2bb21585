import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { reloadDocument, replaceDocument } from '#client/platform/document.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { logFailure } from '#client/platform/log.ts'
import { paths } from '#client/platform/paths.ts'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { OrderNumber } from '#client/ui/order-number.tsx'
import { Page } from '#client/ui/page.tsx'
import { languages } from '#shared/platform/language.ts'
import { orderQuery } from './payment.queries.ts'
import { type Credentials, readCredentials, readOutcome } from './payment.rules.ts'
import { addWidgetAssets, type PixelOptions, type WidgetAssets, waitForPixel } from './widget.ts'
import './payment.css'
import './payment.texts.ts'
import '#client/ui/buttons.css'

const containerId = 'payment-widget'

/** How often the server is asked whether the order is paid: the widget's own word may never come. */
const lookEveryMs = 4_000

interface PaymentPageProps {
  readonly widget: WidgetAssets
}

export function PaymentPage({ widget }: PaymentPageProps) {
  const { t } = useTranslation('payment')
  const [query] = useSearchParams()
  const credentials = readCredentials(query)
  return (
    <Page title={t('title')}>
      <JourneySteps current="pay" />
      {credentials ? (
        <CardPayment key={credentials.clientSecret} credentials={credentials} widget={widget} />
      ) : (
        <div className="payment-alert" role="alert">
          <p>{t('missingCredentials')}</p>
          <a className="button" href={paths.booking}>
            {t('backToBooking')}
          </a>
        </div>
      )}
    </Page>
  )
}

interface CardPaymentProps {
  readonly credentials: Credentials
  readonly widget: WidgetAssets
}

function CardPayment({ credentials, widget }: CardPaymentProps) {
  const { t } = useTranslation('payment')
  const { state, decline, isExpired, isLeaving } = useCardWidget(credentials, widget)
  const isShown = state === 'loading' || state === 'ready'
  return (
    <>
      <p className="payment-order">
        {t('order')} <OrderNumber orderId={credentials.orderId} />
      </p>
      {isExpired ? <Expired /> : <p className="payment-lead">{t('lead')}</p>}
      {isExpired || decline === undefined ? null : (
        <div className="payment-alert" role="alert">
          <p>{decline === '' ? t('declined') : t('declinedBecause', { reason: decline })}</p>
        </div>
      )}
      {isExpired || isShown ? null : (
        <div className="payment-alert" role="alert">
          <p className="payment-alert-title">
            {state === 'no-container' ? t('missingContainer') : t('widgetFailed')}
          </p>
          <p>{t('widgetFailedHelp')}</p>
          {/* A fresh document: browsers remember a module that failed and would not load it again. */}
          <button type="button" className="button" onClick={reloadDocument}>
            {t('retry')}
          </button>
        </div>
      )}
      {/* Hidden, not taken away, when the order expires: a card that is being charged must be able to end. */}
      <div className="payment-frame" hidden={isExpired || !isShown}>
        {state === 'loading' ? <Loading label={t('loading')} /> : null}
        {/* The provider's script owns what is inside; React never renders children here. */}
        <div id={containerId} className="payment-widget" />
      </div>
      <p className="payment-status" role="status">
        {isLeaving ? t('confirming') : null}
      </p>
      {/* A plain link: only a new document drops the policy that lets the provider's script in. */}
      {isExpired ? null : (
        <a className="payment-back" href={paths.checkout}>
          {t('backToReview')}
        </a>
      )}
    </>
  )
}

/** The review still has the route: one press there makes a new order of it. */
function Expired() {
  const { t } = useTranslation('payment')
  return (
    <div className="payment-alert" role="alert">
      <p className="payment-alert-title">{t('thankYou.claim.EXPIRED')}</p>
      <p>{t('thankYou.expired')}</p>
      <a className="button button-primary" href={paths.checkout}>
        {t('thankYou.pending.bookAgain')}
      </a>
    </div>
  )
}

type WidgetState = 'loading' | 'ready' | 'no-container' | 'failed'

function useCardWidget(credentials: Credentials, widget: WidgetAssets) {
  const { publicKey, clientSecret, orderId } = credentials
  const [state, setState] = useState<WidgetState>('loading')
  /** The provider's reason, or an empty text where it gave none. */
  const [decline, setDecline] = useState<string>()
  const [isLeaving, setLeaving] = useState(false)

  const leave = (success: boolean, merchantOrderId: string = orderId) => {
    setLeaving(true)
    replaceDocument(paths.thankYou({ success, merchantOrderId }))
  }

  const order = useQuery({
    ...orderQuery(orderId),
    refetchInterval: isLeaving ? false : lookEveryMs,
    retry: false,
  })
  const status = order.data?.order.status
  /** The result page has the words for it, also for money that went back. Nothing is left to pay. */
  const isSettled = status === 'PAID' || status === 'REFUNDED'

  const language = useLanguage()
  const { t } = useTranslation('payment')
  const options: PixelOptions = {
    publicKey,
    clientSecret,
    paymentMethods: ['card'],
    elementId: containerId,
    disablePay: false,
    showSaveCard: false,
    forceSaveCard: false,
    beforePaymentComplete: async () => {
      setDecline(undefined)
      return true
    },
    afterPaymentComplete: async (response) => {
      const outcome = readOutcome(response)
      if (outcome.kind === 'taken') return leave(true, outcome.merchantOrderId)
      if (outcome.kind === 'declined') return setDecline(outcome.message ?? '')
      await order.refetch()
    },
    onPaymentCancel: () => leave(false),
    customStyle: {
      Direction: languages[language].direction,
      Button_Text: { payBtn: t('widget.pay') },
      Label_Text: { cardLabel: t('widget.card') },
      Placeholder_Text: {
        holderName: t('widget.holderName'),
        cardNumber: t('widget.cardNumber'),
        expiryDate: t('widget.expiryDate'),
        securityCode: t('widget.securityCode'),
      },
      ...lookOfThePage(),
    },
  }

  // The effects below run once per payment and read what is current when they need it: a card may be half
  // typed or a payment under way, so neither a change of language nor a render may mount the widget again.
  const latest = useRef({ options, widget, leave })
  useEffect(() => {
    latest.current = { options, widget, leave }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another secret is another payment
  useEffect(() => {
    const controller = new AbortController()
    let unmount = () => {}
    const mount = async () => {
      addWidgetAssets(latest.current.widget)
      const Pixel = await waitForPixel(controller.signal)
      const container = document.getElementById(containerId)
      if (!container) return setState('no-container')
      const pixel = new Pixel(latest.current.options)
      unmount = () => {
        pixel.unmount?.()
        container.replaceChildren()
      }
      setState('ready')
    }
    mount().catch((error: unknown) => {
      // StrictMode and a quick departure abort the first attempt; that is no failure.
      if (controller.signal.aborted) return
      logFailure('payment widget failed', error)
      setState('failed')
    })
    return () => {
      controller.abort()
      unmount()
    }
  }, [clientSecret])

  useEffect(() => {
    if (isSettled) latest.current.leave(true)
  }, [isSettled])

  // Still looked at: a payment that was under way may revive the order.
  return { state, decline, isExpired: status === 'EXPIRED', isLeaving }
}

function lookOfThePage(): Readonly<Record<string, string>> {
  const tokens = getComputedStyle(document.documentElement)
  const token = (name: string) => tokens.getPropertyValue(name).trim()
  return {
    Font_Family: token('--font'),
    Color_Container: token('--surface'),
    Color_Primary: token('--primary'),
    Color_Error: token('--error'),
    Color_Border_Input_Fields: token('--line'),
    Color_Border_Payment_Button: token('--primary'),
    Text_Color_For_Label: token('--ink'),
    Text_Color_For_Input_Fields: token('--ink'),
    Text_Color_For_Payment_Button: token('--surface'),
    Color_For_Text_Placeholder: token('--muted'),
    Radius_Border: token('--radius-control').replace('px', ''),
    Width_of_Container: '100%',
  }
}
