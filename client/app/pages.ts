import { matchPath } from 'react-router-dom'
import { whileWaiting } from '#client/platform/connection.ts'
import { routePatterns } from '#client/platform/paths.ts'
import { lazyPart } from './lazy-part.ts'
import { BookingPage, CheckoutPage, OrderPage, OrdersPage, PaymentPage, ThankYouPage } from './user-pages.ts'

export const HomePage = lazyPart(async () => (await import('#client/features/home/home.page.tsx')).HomePage)
export const AuthPage = lazyPart(
  async () => (await import('#client/features/sessions/auth.page.tsx')).AuthPage,
)
export const AgentAuthPage = lazyPart(
  async () => (await import('#client/features/sessions/agent-auth.page.tsx')).AgentAuthPage,
)
export const AgentOrdersPage = lazyPart(
  async () => (await import('./agent-orders-with-scan.tsx')).AgentOrdersWithScan,
)
export const AgentScanPage = lazyPart(
  async () => (await import('#client/features/handovers/agent-scan.page.tsx')).AgentScanPage,
)
export const AccountPage = lazyPart(
  async () => (await import('./account-with-details.tsx')).AccountWithDetails,
)
export const PrivacyPolicyPage = lazyPart(
  async () => (await import('#client/features/privacy/privacy-policy.page.tsx')).PrivacyPolicyPage,
)

export const TrackPage = lazyPart(
  async () => (await import('#client/features/track/track.page.tsx')).TrackPage,
)

export const NotFoundPage = lazyPart(async () => (await import('./not-found.page.tsx')).NotFoundPage)

const userRoutes = () => import('./user-routes.tsx')
export const UserPages = lazyPart(async () => (await userRoutes()).UserPages)
export const BookingRoute = lazyPart(async () => (await userRoutes()).BookingRoute)
export const CheckoutRoute = lazyPart(async () => (await userRoutes()).CheckoutRoute)
export const PaymentRoute = lazyPart(async () => (await userRoutes()).PaymentRoute)
export const ThankYouRoute = lazyPart(async () => (await userRoutes()).ThankYouRoute)
export const OrdersRoute = lazyPart(async () => (await userRoutes()).OrdersRoute)
export const OrderRoute = lazyPart(async () => (await userRoutes()).OrderRoute)

/** antd is large, so it loads with the first page that has controls. */
export const Controls = lazyPart(async () => (await whileWaiting(import('./controls.tsx'))).Controls)

/** The parts of each page, by route. */
const parts: Readonly<Record<string, readonly { readonly preload: () => Promise<void> }[]>> = {
  home: [HomePage],
  auth: [AuthPage],
  agentAuth: [AgentAuthPage],
  booking: [UserPages, BookingRoute, BookingPage],
  checkout: [UserPages, CheckoutRoute, CheckoutPage],
  payment: [UserPages, PaymentRoute, PaymentPage],
  thankYou: [UserPages, ThankYouRoute, ThankYouPage],
  orders: [UserPages, OrdersRoute, OrdersPage],
  order: [UserPages, OrderRoute, OrderPage],
  agentOrders: [AgentOrdersPage],
  agentScan: [AgentScanPage],
  account: [AccountPage, Controls],
  privacyPolicy: [PrivacyPolicyPage],
  track: [TrackPage],
}

/** Loads the page of a path. Never rejects: a failure is shown when the page is rendered. */
export async function loadPage(pathname: string): Promise<void> {
  const name = Object.entries(routePatterns).find(([, pattern]) => matchPath(pattern, pathname) !== null)?.[0]
  await Promise.allSettled((parts[name ?? ''] ?? []).map((part) => part.preload()))
}

/** Starts loading the page of a path, in parallel with the session. */
export function preloadPage(pathname: string): void {
  void whileWaiting(loadPage(pathname))
}
