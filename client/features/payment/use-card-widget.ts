import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { orderQuery } from '#client/entities/order/kept-orders.queries.ts'
import { reopenPayment } from '#client/entities/order/pay-again.ts'
import { isCallProblem } from '#client/platform/call.ts'
import { replaceDocument } from '#client/platform/document.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { logFailure } from '#client/platform/log.ts'
import { paths } from '#client/platform/paths.ts'
import { paymentPollMs } from '#shared/orders/orders.rules.ts'
import type { OpenedPayment } from '#shared/orders/orders.schemas.ts'
import { languages } from '#shared/platform/language.ts'
import { type DeclineReason, type Refusal, readOutcome } from './card-outcome.rules.ts'
import { isSettled } from './payment.rules.ts'
import { addWidgetAssets, type PixelOptions, type WidgetAssets, waitForPixel, widgetTheme } from './widget.ts'

/** Id of the element the provider's script fills. */
export const containerId = 'payment-widget'

export interface PaymentNotice {
  /** Changes with every outcome, so that a repeated text is announced again. */
  readonly id: number
  readonly kind: 'declined' | 'unclear' | Refusal
  readonly reason?: DeclineReason | undefined
  /** The provider's text, for a reason that we do not know. */
  readonly message?: string | undefined
  /** The reason why no new form could be opened. */
  readonly problem?: string | undefined
}

/** `spent`: the secret accepts no further card, and the server has no new one. */
type WidgetState = 'loading' | 'ready' | 'no-container' | 'failed' | 'spent'

export type CardWidget = ReturnType<typeof useCardWidget>

/**
 * Runs the provider's widget for an order: mounts it, handles its callbacks, replaces a secret that was refused, and
 * leaves for the result page when the order is settled.
 */
export function useCardWidget(opened: OpenedPayment, assets: WidgetAssets) {
  const { t } = useTranslation('payment')
  const orderKey = String(opened.orderId)
  const [payment, setPayment] = useState(opened)
  const [state, setState] = useState<WidgetState>('loading')
  const [notice, setNotice] = useState<PaymentNotice>()
  const [isLeaving, setLeaving] = useState(false)
  const [isPaying, setPaying] = useState(false)

  const leave = (success: boolean, merchantOrderId: string = orderKey) => {
    setLeaving(true)
    replaceDocument(paths.thankYou({ success, merchantOrderId }))
  }

  // Polling goes on after expiry: a payment under way may revive the order.
  const order = useQuery({
    ...orderQuery(orderKey),
    refetchInterval: isLeaving ? false : paymentPollMs,
    retry: false,
  })
  const current = order.data?.order
  const isOver = current !== undefined && isSettled(current)
  const leaveSettled = useEffectEvent(() => leave(true))
  useEffect(() => {
    if (isOver) leaveSettled()
  }, [isOver])

  const tell = (kind: PaymentNotice['kind'], details: Omit<PaymentNotice, 'id' | 'kind'> = {}) =>
    setNotice((before) => ({ id: (before?.id ?? 0) + 1, kind, ...details }))

  /** Reads the order first: the refused form may belong to an order that is paid. */
  const replaceSecret = async (refusal: Refusal) => {
    tell(refusal)
    setState('loading')
    const read = await order.refetch()
    if (read.data && isSettled(read.data.order)) return
    try {
      const fresh = await reopenPayment(opened.orderId, payment.clientSecret)
      if (fresh.clientSecret === payment.clientSecret) {
        // The order has used all its secrets: the server returns the refused one.
        tell(refusal, { problem: t('widgetFailed') })
        return setState('spent')
      }
      setPayment(fresh)
    } catch (error) {
      if (!isCallProblem(error)) throw error
      tell(refusal, { problem: error.message })
      setState('spent')
    }
  }

  const onComplete = async (response: unknown) => {
    setPaying(false)
    const outcome = readOutcome(response)
    if (outcome.kind === 'taken') return leave(true, outcome.merchantOrderId)
    if (outcome.kind === 'declined')
      return tell('declined', { reason: outcome.reason, message: outcome.message })
    if (outcome.kind === 'refused') return replaceSecret(outcome.refusal)
    tell('unclear')
    await order.refetch()
  }

  const style = useWidgetStyle()
  const options: Omit<PixelOptions, 'clientSecret'> = {
    publicKey: payment.publicKey,
    paymentMethods: ['card'],
    elementId: containerId,
    disablePay: false,
    showSaveCard: false,
    forceSaveCard: false,
    beforePaymentComplete: async () => {
      setNotice(undefined)
      setPaying(true)
      return true
    },
    afterPaymentComplete: onComplete,
    onPaymentCancel: () => leave(false),
    customStyle: style,
  }
  useMountedWidget(payment.clientSecret, options, assets, setState)

  return {
    state,
    /** Differs for each secret. */
    formKey: payment.clientSecret,
    wasReplaced: payment.clientSecret !== opened.clientSecret,
    notice,
    order: current,
    isExpired: current?.status === 'EXPIRED',
    isPaying,
    isLeaving,
  }
}

function useWidgetStyle(): PixelOptions['customStyle'] {
  const { t } = useTranslation('payment')
  const language = useLanguage()
  return {
    Direction: languages[language].direction,
    Button_Text: { payBtn: t('widget.pay') },
    Label_Text: { cardLabel: t('widget.card') },
    Placeholder_Text: {
      holderName: t('widget.holderName'),
      cardNumber: t('widget.cardNumber'),
      expiryDate: t('widget.expiryDate'),
      securityCode: t('widget.securityCode'),
    },
    ...widgetTheme(),
  }
}

/** Mounts the widget once per secret, not per language: a card may be half typed or a payment under way. */
function useMountedWidget(
  clientSecret: string,
  options: Omit<PixelOptions, 'clientSecret'>,
  assets: WidgetAssets,
  onState: (state: WidgetState) => void,
): void {
  const latest = useEffectEvent(() => ({ options, assets }))
  const tell = useEffectEvent(onState)
  useEffect(() => {
    const controller = new AbortController()
    let unmount = () => {}
    const mount = async () => {
      addWidgetAssets(latest().assets)
      const Pixel = await waitForPixel(controller.signal)
      const container = document.getElementById(containerId)
      if (!container) return tell('no-container')
      const pixel = new Pixel({ ...latest().options, clientSecret })
      unmount = () => {
        pixel.unmount?.()
        container.replaceChildren()
      }
      tell('ready')
    }
    mount().catch((error: unknown) => {
      // Aborted by StrictMode's first clean-up or by leaving the page: not a failure.
      if (controller.signal.aborted) return
      logFailure('payment widget failed', error)
      tell('failed')
    })
    return () => {
      controller.abort()
      unmount()
    }
  }, [clientSecret])
}
