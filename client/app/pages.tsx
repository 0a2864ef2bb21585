import { type ComponentType, lazy, Suspense } from 'react'
import { matchPath } from 'react-router-dom'
import { routePatterns } from '#client/platform/paths.ts'
import { Loading } from '#client/ui/loading.tsx'

/** Every page that is a chunk of its own, by the route it belongs to. */
const loaders = {
  auth: () => import('#client/features/sessions/auth.page.tsx'),
  agentAuth: () => import('#client/features/sessions/agent-auth.page.tsx'),
  booking: () => import('#client/features/booking/booking.page.tsx'),
  checkout: () => import('#client/features/checkout/checkout.page.tsx'),
  payment: () => import('#client/features/payment/payment.page.tsx'),
  thankYou: () => import('#client/features/payment/thank-you.page.tsx'),
  orders: () => import('#client/features/orders/orders.page.tsx'),
  agentOrders: () => import('#client/features/agent-orders/agent-orders.page.tsx'),
  privacyPolicy: () => import('#client/features/privacy/privacy-policy.page.tsx'),
} as const

/** Starts loading the page of a path at once, beside whatever its frame is still waiting for. */
export function preloadPage(pathname: string): void {
  for (const [name, pattern] of Object.entries(routePatterns)) {
    if (!hasLoader(name) || matchPath(pattern, pathname) === null) continue
    // A failure shows when the page itself is asked for.
    loaders[name]().catch(() => undefined)
  }
}

function hasLoader(name: string): name is keyof typeof loaders {
  return Object.hasOwn(loaders, name)
}

// Each page brings its own boundary: a boundary above the router would keep the old page on screen, without a
// sign of life, while the next one crawls in over a weak network.
function pageOf<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Content: ComponentType<P> = lazy(async () => ({ default: await load() }))
  return function LazyPage(props: P) {
    return (
      <Suspense fallback={<Loading />}>
        <Content {...props} />
      </Suspense>
    )
  }
}

export const AuthPage = pageOf(async () => (await loaders.auth()).AuthPage)
export const AgentAuthPage = pageOf(async () => (await loaders.agentAuth()).AgentAuthPage)
export const BookingPage = pageOf(async () => (await loaders.booking()).BookingPage)
export const CheckoutPage = pageOf(async () => (await loaders.checkout()).CheckoutPage)
export const PaymentPage = pageOf(async () => (await loaders.payment()).PaymentPage)
export const ThankYouPage = pageOf(async () => (await loaders.thankYou()).ThankYouPage)
export const OrdersPage = pageOf(async () => (await loaders.orders()).OrdersPage)
export const AgentOrdersPage = pageOf(async () => (await loaders.agentOrders()).AgentOrdersPage)
export const PrivacyPolicyPage = pageOf(async () => (await loaders.privacyPolicy()).PrivacyPolicyPage)
