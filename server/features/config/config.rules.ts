import { shownSellerOf } from '#server/features/receipts/receipts.rules.ts'
import { type Config, liabilityOf, widgetStyles } from '#server/platform/config.ts'
import { fare, maxWeightKg } from '#shared/checkout/checkout.operations.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { brand } from '#shared/platform/brand.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'

export function shownConfig(
  config: Config,
): Omit<PublicConfig, 'success' | 'stops' | 'promises' | 'termsVersion' | 'wallets'> {
  return {
    demo: config.MODE === 'demo',
    paymentTest: config.MODE === 'live' && config.PAYMENT_TEST,
    widget: widgetOf(config),
    fare: {
      base: riyalsOf(fare.baseHalalas),
      return: riyalsOf(fare.returnHalalas),
      currency,
    },
    maxWeightKg,
    enabledTypes: [...config.ENABLED_BOOKING_TYPES],
    contact: brand.contact,
    purchase: {
      ...brand.purchase,
      cards: [...brand.purchase.cards],
      cancellation: config.CANCELLATION,
      ...liabilityOf(config),
      seller: shownSellerOf(config),
    },
    tracking: { silenceHours: config.TRACKING_SILENCE_HOURS },
    handoverPhoto: config.HANDOVER_PHOTO,
    hasEmail: config.SMTP_URL !== undefined,
    appLink: brand.androidAppUrl,
  }
}

export function widgetOf(config: Config) {
  return {
    script: config.PAYMENT_WIDGET_SCRIPT,
    styles: [...widgetStyles(config)],
    ...(config.PAYMENT_WIDGET_INTEGRITY && { integrity: config.PAYMENT_WIDGET_INTEGRITY }),
  }
}
