import { pages } from '#shared/platform/pages.ts'

/** What the router matches. A path is data: everything else builds links with `paths`. */
export const routePatterns = pages

/** The query names are the contract of spec §2: the provider and old links use them too. */
export const paths = {
  home: routePatterns.home,
  auth: routePatterns.auth,
  agentAuth: routePatterns.agentAuth,
  booking: routePatterns.booking,
  checkout: routePatterns.checkout,
  orders: routePatterns.orders,
  agentOrders: routePatterns.agentOrders,
  account: routePatterns.account,
  privacyPolicy: routePatterns.privacyPolicy,
  /** Sign-in that comes back to `next`, a path with its query. */
  authThen: (next: string) => withQuery(routePatterns.auth, { next }),
  /** The same for agents, who have one page: only what stands in its query is worth coming back to. */
  agentAuthThen: (next: string) =>
    next.includes('?') ? withQuery(routePatterns.agentAuth, { next }) : routePatterns.agentAuth,
  /** A document of its own: go there with `window.location`, never with the router. */
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
