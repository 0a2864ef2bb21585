import { languages } from '#shared/platform/language.ts'

const textScripts = Object.values(languages).flatMap(({ code, label }) => [
  [`texts-frame-${code}`, `texts of the frame of every page, in ${label}`],
  [`texts-payment-${code}`, `texts of payment, in ${label}`],
  [`texts-entities-${code}`, `texts of orders and bags, in ${label}`],
  [`texts-tag-${code}`, `texts of the bag’s tag and of places, in ${label}`],
])

/**
 * The payment page's scripts, each with its reason (PCI DSS 6.4.3): the build's by their names in
 * `dist/client/assets`, without the final hash. `npm run ops -- check-payment-page` compares them with the
 * document, `test/journeys/policy.full.test.ts` with what a browser loads.
 */
export const paymentScripts: Readonly<Record<string, string>> = {
  'before-app':
    'asks who is signed in, opens the menu, holds a press for the app, and keeps the rest of the address when the language is chosen, before the app runs',
  index: 'starts the app',
  'rolldown-runtime': 'joins the modules of the build',
  vendor: 'React, the router, translation and the cache of answers',
  first: 'the frame of every page',
  'payment.page': 'asks the gateway for the order and its secret, and opens the card widget with them',
  user: 'calls that ask who is signed in and what their orders are, and small parts that pages behind the sign-in share',
  'sign-in': 'form controls and dialogs of pages with a session',
  'booking.layout':
    'keeps the booking, and the idempotency key of its payment, while the page is left and returned to',
  ...Object.fromEntries(textScripts),
}

/**
 * Why the provider's script runs there. Its address is `PAYMENT_WIDGET_SCRIPT`, its hash
 * `PAYMENT_WIDGET_INTEGRITY`.
 */
export const providerReason =
  'the card widget of the payment provider: frames the form in which the card is entered, so that the card never reaches us'

/** The name of a built script in the table above. */
export const nameOfScript = (file: string): string => file.replace(/^.*\//, '').replace(/-[\w-]{8}\.js$/, '')
