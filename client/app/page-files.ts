import type { ComponentType, ReactNode } from 'react'
import type { TextGroup } from '#client/platform/text-groups.ts'
import type { PageName } from '#shared/platform/pages.ts'
import type { PageRoute } from './routes.ts'

export interface PageFile {
  readonly load: () => Promise<ComponentType>
  /** All texts that the page shows, also later. Leave out the texts of the frame (test/repo/catalogues.test.ts). */
  readonly texts: readonly TextGroup[]
  /** The file with the modules that several pages share (chunk-groups.ts). */
  readonly sharedFile?: 'first' | 'sign-in' | 'user'
}

/** Each is loaded in parallel with the page. */
export const layouts = {
  booking: async () => (await import('./booking.layout.tsx')).BookingLayout,
} satisfies Readonly<
  Record<NonNullable<PageRoute['layout']>, () => Promise<ComponentType<{ children: ReactNode }>>>
>

export type LayoutName = keyof typeof layouts

/** The file of each page. Router, preloading, documents, service worker and shared files follow it. */
export const pageFiles: Readonly<Record<PageName, PageFile>> = {
  home: {
    load: async () => (await import('#client/features/home/home.page.tsx')).HomePage,
    texts: ['home', 'tag'],
    sharedFile: 'first',
  },
  auth: {
    load: async () => (await import('#client/features/sessions/auth.page.tsx')).AuthPage,
    texts: ['sessions', 'tag'],
    sharedFile: 'sign-in',
  },
  recover: {
    load: async () => (await import('./recover.route.tsx')).RecoverRoute,
    texts: ['sessions'],
  },
  agentAuth: {
    load: async () => (await import('#client/features/sessions/agent-auth.page.tsx')).AgentAuthPage,
    texts: ['sessions'],
  },
  booking: {
    load: async () => (await import('./booking.route.tsx')).BookingRoute,
    texts: ['booking', 'entities', 'tag'],
    sharedFile: 'user',
  },
  checkout: {
    load: async () => (await import('./checkout.route.tsx')).CheckoutRoute,
    texts: ['checkout', 'entities', 'sessions', 'tag'],
  },
  payment: {
    load: async () => (await import('#client/features/payment/payment.page.tsx')).PaymentPage,
    texts: ['payment', 'entities', 'tag'],
  },
  thankYou: {
    load: async () => (await import('./thank-you.route.tsx')).ThankYouRoute,
    texts: ['payment', 'entities', 'tag'],
  },
  orders: {
    load: async () => (await import('#client/features/orders/orders.page.tsx')).OrdersPage,
    texts: ['orders', 'entities', 'tag'],
    sharedFile: 'user',
  },
  order: {
    load: async () => (await import('./order.route.tsx')).OrderRoute,
    texts: ['payment', 'claims', 'entities', 'tag'],
    sharedFile: 'user',
  },
  claims: {
    load: async () => (await import('#client/features/claims/claims.page.tsx')).ClaimsPage,
    texts: ['claims', 'entities'],
  },
  track: {
    load: async () => (await import('#client/features/track/track.page.tsx')).TrackPage,
    texts: ['track', 'entities', 'tag'],
  },
  emailStop: {
    load: async () => (await import('#client/features/sessions/email-stop.page.tsx')).EmailStopPage,
    texts: ['sessions'],
  },
  agentOrders: {
    load: async () => (await import('./agent-orders.route.tsx')).AgentOrdersRoute,
    texts: ['agent-orders', 'handovers', 'entities', 'tag'],
  },
  agentScan: {
    load: async () => (await import('#client/features/handovers/agent-scan.page.tsx')).AgentScanPage,
    texts: ['handovers'],
  },
  account: {
    load: async () => (await import('./account.route.tsx')).AccountRoute,
    texts: ['account', 'sessions', 'entities'],
  },
  privacyPolicy: {
    load: async () => (await import('#client/features/privacy/privacy-policy.page.tsx')).PrivacyPolicyPage,
    texts: ['privacy'],
  },
  terms: {
    load: async () => (await import('#client/features/terms/terms.page.tsx')).TermsPage,
    texts: ['terms', 'entities', 'tag'],
  },
}
