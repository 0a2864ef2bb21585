import { paymentReturn } from '#shared/payments/payment-return.ts'
import { pages } from '#shared/platform/pages.ts'

/** The query parameter with the order whose route is booked again. */
export const againParameter = 'again'

/** The address of each page. Query names are fixed by spec §2: the provider and older links use them too. */
export const paths = {
  ...pages,
  /** Booking with the destination already chosen, by its English name; with '' it asks for the city first. */
  bookingTo: (city: string) => withQuery(pages.booking, { city }),
  /** Booking with the answers to a question open. */
  bookingAsking: (question: 'agentCode' | 'centerCode') => withQuery(pages.booking, { ask: question }),
  /** The review of another bag on the route of an order. */
  checkoutAgain: (orderId: number) => withQuery(pages.checkout, { [againParameter]: String(orderId) }),
  /** Sign-in that returns to `next`, a path with its query. */
  authThen: (next: string) => withQuery(pages.auth, { next }),
  /** A new number for an account; afterwards as sign-in. */
  recoverThen: (next: string) => withQuery(pages.recover, { next }),
  /** The same for agents. Sign-in leads to their list, so `next` is needed only for another page or a query. */
  agentAuthThen: (next: string) =>
    next === pages.agentOrders ? pages.agentAuth : withQuery(pages.agentAuth, { next }),
  order: (orderId: number) => pages.order.replace(':id', String(orderId)),
  claims: (orderId: number) => pages.claims.replace(':id', String(orderId)),
  /** The form with the bag named as late, by its place in the order. */
  claimLate: (orderId: number, bag: number) =>
    withQuery(pages.claims.replace(':id', String(orderId)), { kind: 'late', bag: String(bag) }),
  /** The form with the bag named as another person's. */
  claimNotMine: (orderId: number, bag: number) =>
    withQuery(pages.claims.replace(':id', String(orderId)), { kind: 'other', bag: String(bag) }),
  track: (token: string) => pages.track.replace(':token', token),
  emailStop: (token: string) => pages.emailStop.replace(':token', token),
  /** A document of its own: use `openDocument`, not the router. */
  payment: (payment: { orderId: number | string; clientSecret: string; publicKey: string }) =>
    withQuery(pages.payment, {
      clientSecret: payment.clientSecret,
      publicKey: payment.publicKey,
      orderId: String(payment.orderId),
    }),
  thankYou: (result: { success: boolean; merchantOrderId?: number | string | undefined }) =>
    withQuery(pages.thankYou, {
      [paymentReturn.success]: String(result.success),
      ...(result.merchantOrderId !== undefined && {
        [paymentReturn.merchantOrderId]: String(result.merchantOrderId),
      }),
    }),
} as const

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query)}`
}
