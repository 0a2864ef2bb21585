/**
 * Every page of the app: the paths the router matches and the server answers with 200. `:id` stands for an order number, `:token` for the secret of a link.
 * Any other path gets the same app with 404. Who may see a page, and what it loads, says `client/app/routes.ts`.
 */
export const pages = {
  home: '/',
  auth: '/auth',
  recover: '/recover',
  agentAuth: '/agent-auth',
  booking: '/booking',
  checkout: '/checkout',
  payment: '/payment',
  thankYou: '/thank-you',
  orders: '/orders',
  order: '/orders/:id',
  claims: '/order-claims/:id',
  track: '/track/:token',
  emailStop: '/email-stop/:token',
  agentOrders: '/agent-orders',
  agentScan: '/agent-scan',
  account: '/account',
  privacyPolicy: '/privacy-policy',
  terms: '/terms',
} as const

/** The desk of staff: an app of its own (client/desk), whose pages are all below. */
export const deskPath = '/desk'

export type PageName = keyof typeof pages

const patterns = Object.entries(pages).map(
  ([name, path]) => [name as PageName, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/*$`, 'i')] as const,
)

/** The page at a path, which is read as the router reads it: in any case, and with a slash behind it. */
export function pageAt(path: string): PageName | undefined {
  return patterns.find(([, pattern]) => pattern.test(path))?.[0]
}
