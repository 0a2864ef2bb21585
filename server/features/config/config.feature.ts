import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { ShownStops } from '#server/features/stops/stops.service.ts'
import { type Config, liabilityOf, promisesOf, widgetStyles } from '#server/platform/config.ts'
import { fare, maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import { presentPromises } from '#shared/platform/promises.rules.ts'
import { configRoutes } from './config.routes.ts'

interface ConfigNeeds {
  readonly passes: Required<Pick<PublicConfig, 'wallets'>>
  readonly receipts: { readonly shownSeller: PublicConfig['purchase']['seller'] }
}

/** What the browser reads of the configuration. */
export function registerConfig(
  core: Core,
  needs: ConfigNeeds & { stops: ShownStops; orders: Pick<OrdersService, 'termsVersionAt'> },
): void {
  const fixed = shownConfig(core.config, needs)
  const promises = promisesOf(core.config)
  const read = async () => {
    const now = core.clock.now()
    return {
      ...fixed,
      promises: presentPromises(promises, now),
      termsVersion: needs.orders.termsVersionAt(now),
      stops: [...(await needs.stops.listShown())],
    }
  }
  core.routes.push((app, scope) => configRoutes(app, scope, read))
}

export function shownConfig(
  config: Config,
  { receipts, passes }: ConfigNeeds,
): Omit<PublicConfig, 'success' | 'stops' | 'promises' | 'termsVersion'> {
  return {
    demo: config.MODE === 'demo',
    paymentTest: config.MODE === 'live' && config.PAYMENT_TEST,
    widget: widgetOf(config),
    fare: { base: riyalsOf(fare.baseHalalas), return: riyalsOf(fare.returnHalalas), currency },
    maxWeightKg,
    enabledTypes: [...config.ENABLED_BOOKING_TYPES],
    contact: brand.contact,
    purchase: {
      ...brand.purchase,
      cards: [...brand.purchase.cards],
      cancellation: config.CANCELLATION,
      ...liabilityOf(config),
      seller: receipts.shownSeller,
    },
    tracking: { silenceHours: config.TRACKING_SILENCE_HOURS },
    wallets: passes.wallets,
    hasEmail: config.SMTP_URL !== undefined,
    appLink: brand.androidAppUrl,
  }
}

/** What the browser loads as the card widget. */
export function widgetOf(config: Config) {
  return {
    script: config.PAYMENT_WIDGET_SCRIPT,
    styles: [...widgetStyles(config)],
    ...(config.PAYMENT_WIDGET_INTEGRITY && { integrity: config.PAYMENT_WIDGET_INTEGRITY }),
  }
}
