import { pages } from '#shared/platform/pages.ts'

/** The patterns the router matches. Links are built with `paths`. */
export const routePatterns = pages

/** Query names are fixed by spec §2: the provider and older links use them too. */
export const paths = {
  home: routePatterns.home,
  auth: routePatterns.auth,
  agentAuth: routePatterns.agentAuth,
  booking: routePatterns.booking,
  checkout: routePatterns.checkout,
  orders: routePatterns.orders,
  agentOrders: routePatterns.agentOrders,
  /** A document of its own: use `openDocument` or a plain link, not the router. */
  agentScan: routePatterns.agentScan,
  account: routePatterns.account,
  privacyPolicy: routePatterns.privacyPolicy,
  /** Booking with the destination already chosen, by its English name. */
  bookingTo: (city: string) => withQuery(routePatterns.booking, { city }),
  /** Sign-in that returns to `next`, a path with its query. */
  authThen: (next: string) => withQuery(routePatterns.auth, { next }),
  /** The same for agents. Sign-in leads to their list, so `next` is needed only for another page or a query. */
  agentAuthThen: (next: string) =>
    next === routePatterns.agentOrders
      ? routePatterns.agentAuth
      : withQuery(routePatterns.agentAuth, { next }),
  order: (orderId: number) => routePatterns.order.replace(':id', String(orderId)),
  track: (token: string) => routePatterns.track.replace(':token', token),
  /** A document of its own: use `openDocument`, not the router. */
  payment: (payment: { orderId: number | string; clientSecret: string; publicKey: string }) =>
    withQuery(routePatterns.payment, {
      clientSecret: payment.clientSecret,
      publicKey: payment.publicKey,
      orderId: String(payment.orderId),
    }),
  thankYou: (result: { success: boolean; merchantOrderId?: number | string | undefined }) =>
    withQuery(routePatterns.thankYou, {
      success: String(result.success),
      ...(result.merchantOrderId === undefined ? {} : { merchant_order_id: String(result.merchantOrderId) }),
    }),
} as const

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query)}`
}
