import { matchPath } from 'react-router-dom'
import { whileWaiting } from '#client/platform/connection.ts'
import { routePatterns } from '#client/platform/paths.ts'
import { lazyPart } from './lazy-part.ts'

/** Pages in chunks of their own, by route. */
const loaders = {
  auth: () => import('#client/features/sessions/auth.page.tsx'),
  agentAuth: () => import('#client/features/sessions/agent-auth.page.tsx'),
  booking: () => import('#client/features/booking/booking.page.tsx'),
  checkout: () => import('./checkout-with-receiver.tsx'),
  payment: () => import('#client/features/payment/payment.page.tsx'),
  thankYou: () => import('#client/features/payment/thank-you.page.tsx'),
  orders: () => import('#client/features/orders/orders.page.tsx'),
  agentOrders: () => import('#client/features/agent-orders/agent-orders.page.tsx'),
  account: () => import('./account-with-details.tsx'),
  privacyPolicy: () => import('#client/features/privacy/privacy-policy.page.tsx'),
} as const

/** Starts loading the page of a path, in parallel with session and controls. */
export function preloadPage(pathname: string): void {
  for (const [name, pattern] of Object.entries(routePatterns)) {
    if (!hasLoader(name) || matchPath(pattern, pathname) === null) continue
    // A failure is shown when the page is rendered.
    whileWaiting<unknown>(loaders[name]()).catch(() => undefined)
  }
}

function hasLoader(name: string): name is keyof typeof loaders {
  return Object.hasOwn(loaders, name)
}

export const AuthPage = lazyPart(async () => (await loaders.auth()).AuthPage)
export const AgentAuthPage = lazyPart(async () => (await loaders.agentAuth()).AgentAuthPage)
export const BookingPage = lazyPart(async () => (await loaders.booking()).BookingPage)
export const CheckoutPage = lazyPart(async () => (await loaders.checkout()).CheckoutWithReceiver)
export const PaymentPage = lazyPart(async () => (await loaders.payment()).PaymentPage)
export const ThankYouPage = lazyPart(async () => (await loaders.thankYou()).ThankYouPage)
export const OrdersPage = lazyPart(async () => (await loaders.orders()).OrdersPage)
export const AgentOrdersPage = lazyPart(async () => (await loaders.agentOrders()).AgentOrdersPage)
export const AccountPage = lazyPart(async () => (await loaders.account()).AccountWithDetails)
export const PrivacyPolicyPage = lazyPart(async () => (await loaders.privacyPolicy()).PrivacyPolicyPage)
