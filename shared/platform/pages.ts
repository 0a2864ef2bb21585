/**
 * Every page of the app: the paths the router matches and the server answers with 200. `:id` stands for an order number, `:token` for the secret of a shared link.
 * Any other path gets the same app with 404.
 */
export const pages = {
  home: '/',
  auth: '/auth',
  agentAuth: '/agent-auth',
  booking: '/booking',
  checkout: '/checkout',
  payment: '/payment',
  thankYou: '/thank-you',
  orders: '/orders',
  order: '/orders/:id',
  track: '/track/:token',
  agentOrders: '/agent-orders',
  agentScan: '/agent-scan',
  account: '/account',
  privacyPolicy: '/privacy-policy',
} as const
