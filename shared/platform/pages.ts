/**
 * Every page of the app: the paths the router matches and the server answers with 200. Any other path gets the same app
 * with 404.
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
  agentOrders: '/agent-orders',
  account: '/account',
  privacyPolicy: '/privacy-policy',
} as const
