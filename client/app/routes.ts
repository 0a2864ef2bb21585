import type { TextKey } from '#client/platform/i18n.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import type { PageName } from '#shared/platform/pages.ts'

/**
 * Who may see a page. `account` is any signed-in role; the sign-in pages redirect the role already signed in.
 */
export type PageAccess = 'everyone' | 'user' | 'agent' | 'account' | 'user-sign-in' | 'agent-sign-in'

/** A page that is a document of its own (documents.tsx), or any other. */
export type DocumentKind = 'payment' | 'scan' | 'other'

/** The facts of a page that the app needs before page-files.ts loads the page. */
export interface PageRoute {
  readonly access: PageAccess
  /** `booking`: the draft stays while the pages inside this layout change. */
  readonly layout?: 'booking'
  /** The page waits for the configuration, which it gets by `useLoadedConfig`. */
  readonly needsConfig?: true
  /** Default: `other`. */
  readonly document?: DocumentKind
  /** The build writes the page itself: its components render without a browser. Other pages get the frame. */
  readonly prerender?: {
    /** Undefined for home, whose title is the tagline. */
    readonly titleKey?: TextKey
    /** The page can be read, and its links work, without the app, which is loaded when it is needed. */
    readonly worksAlone?: true
  }
  /**
   * Shows the outline of a tag until the session and the page are loaded, and says that a payment is checked, or whose order it
   * is; its document shows the same. Default: a spinner.
   */
  readonly outline?: 'payment' | 'order'
  /** The first call of the page for a user: a path with the `:id` of the page. The document starts the call (before-app.js). */
  readonly firstCall?: string
  /**
   * The stored data that the page shows when the server does not answer the session check: a user's orders, or an
   * agent's bags and outbox. A page for everyone has no entry, because the worker stores the files of every page.
   */
  readonly shows?: 'kept-orders' | 'kept-bags'
}

/** One row per page. It loads nothing, so that guards and links may import it. */
export const routes: Readonly<Record<PageName, PageRoute>> = {
  home: {
    access: 'everyone',
    prerender: { worksAlone: true },
  },
  auth: {
    access: 'user-sign-in',
    prerender: { titleKey: 'sessions:login.title' },
  },
  recover: { access: 'everyone' },
  agentAuth: {
    access: 'agent-sign-in',
    prerender: { titleKey: 'sessions:agent.title' },
  },
  booking: {
    access: 'user',
    layout: 'booking',
    needsConfig: true,
  },
  checkout: {
    access: 'user',
    layout: 'booking',
    needsConfig: true,
  },
  payment: {
    access: 'user',
    layout: 'booking',
    needsConfig: true,
    document: 'payment',
  },
  thankYou: {
    access: 'user',
    layout: 'booking',
    outline: 'payment',
    shows: 'kept-orders',
  },
  orders: {
    access: 'user',
    shows: 'kept-orders',
  },
  order: {
    access: 'user',
    layout: 'booking',
    outline: 'order',
    firstCall: readOrder.path,
    shows: 'kept-orders',
  },
  claims: { access: 'user' },
  track: { access: 'everyone' },
  emailStop: { access: 'everyone' },
  agentOrders: {
    access: 'agent',
    shows: 'kept-bags',
  },
  agentScan: {
    access: 'agent',
    document: 'scan',
    shows: 'kept-bags',
  },
  account: { access: 'account' },
  privacyPolicy: {
    access: 'everyone',
    prerender: { titleKey: 'privacy:title', worksAlone: true },
  },
  terms: {
    access: 'everyone',
    prerender: { titleKey: 'terms:title' },
  },
}
