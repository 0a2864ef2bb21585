/** Paths of pages. The server answers them with 200, and any other path with 404 and the app. */
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
