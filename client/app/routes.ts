import type { ComponentType, ReactNode } from 'react'
import type { TextKey } from '#client/platform/i18n.ts'
import type { TextGroup } from '#client/platform/text-groups.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import type { PageName } from '#shared/platform/pages.ts'

/**
 * Who may see a page. `account` is any signed-in role; the sign-in pages redirect the role already signed in.
 */
export type PageAccess = 'everyone' | 'user' | 'agent' | 'account' | 'user-sign-in' | 'agent-sign-in'

/** A page that is a document of its own (documents.tsx), or any other. */
export type DocumentKind = 'payment' | 'scan' | 'other'

export interface PageRoute {
  readonly access: PageAccess
  readonly load: () => Promise<ComponentType>
  /** Of all that it shows, also later; those of the frame are there (test/repo/catalogues.test.ts). */
  readonly texts: readonly TextGroup[]
  /** What stays on screen while the pages inside it change. */
  readonly layout?: LayoutName
  /** Default: `other`. */
  readonly document?: DocumentKind
  /**
   * The build writes the page itself, as a new visitor sees it first: its components render without a browser. Other pages
   * get the frame.
   */
  readonly prerender?: {
    /** Undefined for home, whose title is the tagline. */
    readonly titleKey?: TextKey
    /** The app starts when the page has been drawn: it can be read, and its links work, without. */
    readonly startsLate?: boolean
  }
  /**
   * Until the session and the page are there a tag in outline stands for the page, in its document too, and above it that
   * the payment is being checked. Default: a spinner.
   */
  readonly outline?: true
  /** What the page asks first, of a user: path with the `:id` of the page. The document begins it beside the app (before-app.js). */
  readonly firstCall?: string
  /** Opens without a network: for users with the kept orders, for agents with the kept bags and the outbox. */
  readonly offline?: 'user' | 'agent'
  /** The file that brings what several pages share (chunk-groups.plugin.ts). */
  readonly sharedFile?: 'first' | 'sign-in' | 'user'
}

/** Each is loaded in parallel with the page. */
export const layouts = {
  booking: async () => (await import('./booking.layout.tsx')).BookingLayout,
} satisfies Readonly<Record<string, () => Promise<ComponentType<{ children: ReactNode }>>>>

export type LayoutName = keyof typeof layouts

/** One row per page. Router, guards, preloading, documents, service worker and shared files follow it. */
export const routes: Readonly<Record<PageName, PageRoute>> = {
  home: {
    access: 'everyone',
    load: async () => (await import('#client/features/home/home.page.tsx')).HomePage,
    texts: ['home', 'tag'],
    prerender: { startsLate: true },
    sharedFile: 'first',
  },
  auth: {
    access: 'user-sign-in',
    load: async () => (await import('#client/features/sessions/auth.page.tsx')).AuthPage,
    texts: ['sessions', 'tag'],
    prerender: { titleKey: 'sessions:login.title' },
    sharedFile: 'sign-in',
  },
  recover: {
    access: 'everyone',
    load: async () => (await import('./recover.route.tsx')).RecoverRoute,
    texts: ['sessions'],
  },
  agentAuth: {
    access: 'agent-sign-in',
    load: async () => (await import('#client/features/sessions/agent-auth.page.tsx')).AgentAuthPage,
    texts: ['sessions'],
    prerender: { titleKey: 'sessions:agent.title' },
  },
  booking: {
    access: 'user',
    load: async () => (await import('./booking.route.tsx')).BookingRoute,
    texts: ['booking', 'entities', 'tag'],
    layout: 'booking',
    sharedFile: 'user',
  },
  checkout: {
    access: 'user',
    load: async () => (await import('./checkout.route.tsx')).CheckoutRoute,
    texts: ['checkout', 'entities', 'sessions', 'tag'],
    layout: 'booking',
  },
  payment: {
    access: 'user',
    load: async () => (await import('./payment.route.tsx')).PaymentRoute,
    texts: ['payment', 'entities', 'tag'],
    layout: 'booking',
    document: 'payment',
  },
  thankYou: {
    access: 'user',
    load: async () => (await import('./thank-you.route.tsx')).ThankYouRoute,
    texts: ['payment', 'entities', 'tag'],
    layout: 'booking',
    outline: true,
    offline: 'user',
  },
  orders: {
    access: 'user',
    load: async () => (await import('./orders.route.tsx')).OrdersRoute,
    texts: ['orders', 'entities', 'tag'],
    offline: 'user',
    sharedFile: 'user',
  },
  order: {
    access: 'user',
    load: async () => (await import('./order.route.tsx')).OrderRoute,
    texts: ['payment', 'claims', 'entities', 'tag'],
    layout: 'booking',
    firstCall: readOrder.path,
    offline: 'user',
    sharedFile: 'user',
  },
  claims: {
    access: 'user',
    load: async () => (await import('./claims.route.tsx')).ClaimsRoute,
    texts: ['claims', 'entities'],
  },
  track: {
    access: 'everyone',
    load: async () => (await import('#client/features/track/track.page.tsx')).TrackPage,
    texts: ['track', 'entities', 'tag'],
  },
  emailStop: {
    access: 'everyone',
    load: async () => (await import('#client/features/sessions/email-stop.page.tsx')).EmailStopPage,
    texts: ['sessions'],
  },
  agentOrders: {
    access: 'agent',
    load: async () => (await import('./agent-orders.route.tsx')).AgentOrdersRoute,
    texts: ['agent-orders', 'handovers', 'entities', 'tag'],
    offline: 'agent',
  },
  agentScan: {
    access: 'agent',
    load: async () => (await import('./agent-scan.route.tsx')).AgentScanRoute,
    texts: ['handovers', 'entities'],
    document: 'scan',
    offline: 'agent',
  },
  account: {
    access: 'account',
    load: async () => (await import('./account.route.tsx')).AccountRoute,
    texts: ['account', 'sessions', 'entities'],
  },
  privacyPolicy: {
    access: 'everyone',
    load: async () => (await import('#client/features/privacy/privacy-policy.page.tsx')).PrivacyPolicyPage,
    texts: ['privacy'],
    prerender: { titleKey: 'privacy:title', startsLate: true },
  },
  terms: {
    access: 'everyone',
    load: async () => (await import('#client/features/terms/terms.page.tsx')).TermsPage,
    texts: ['terms', 'entities', 'tag'],
    prerender: { titleKey: 'terms:title' },
  },
}
