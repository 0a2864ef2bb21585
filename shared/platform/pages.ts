/**
 * The router matches these paths and the server answers them with 200. `:id` stands for an order number, `:token` for
 * the secret of a link. Any other path gets the app with 404. `client/app/routes.ts` lists the roles that may see a
 * page, and `client/app/page-files.ts` the files that it loads.
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

export const deskPath = '/desk'

export type PageName = keyof typeof pages

const patterns = Object.entries(pages).map(
  ([name, path]) => [name as PageName, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/*$`, 'i')] as const,
)

export function pageAt(path: string): PageName | undefined {
  return patterns.find(([, pattern]) => pattern.test(path))?.[0]
}
