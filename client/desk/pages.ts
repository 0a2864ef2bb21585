import type { ComponentType } from 'react'
import type { StaffSession } from '#shared/desk/desk.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import type { DeskIconName } from './desk-icon.tsx'

export interface DeskPageProps {
  readonly staff: StaffSession
}

/** Below this width the menu is icons and what is beside an order is a drawer. */
export const narrow = '(max-width: 1099px)'

interface DeskMenuRow {
  readonly text: string
  readonly icon: DeskIconName
  /** The key that opens it after G: `o`. */
  readonly key?: string
}

export interface DeskPage {
  /** Below /desk, as the router spells it. */
  readonly path: string
  /** In the menu; absent for a page that others lead to. */
  readonly menu?: DeskMenuRow
  /** Default: every role. Whoever has none of them finds no such page. */
  readonly roles?: readonly StaffRole[]
  /** In a file of its own. */
  readonly load: () => Promise<ComponentType<DeskPageProps>>
}

export const searchPath = '/search'
export const ordersPath = '/orders'
export const orderPath = (orderId: number): string => `${ordersPath}/${orderId}`

/** One row per page. Menu, router and keys follow it. */
export const deskPages: readonly DeskPage[] = [
  {
    path: ordersPath,
    menu: { text: 'menuOf.orders', icon: 'list', key: 'o' },
    load: async () => (await import('./orders/orders.page.tsx')).OrdersPage,
  },
  {
    path: `${ordersPath}/:ref`,
    load: async () => (await import('./orders/order.page.tsx')).OrderPage,
  },
  {
    path: searchPath,
    load: async () => (await import('./orders/search.page.tsx')).SearchPage,
  },
  {
    path: '/',
    menu: { text: 'home.title', icon: 'person' },
    load: async () => (await import('./home.page.tsx')).HomePage,
  },
]

/** The pages of a person. */
export const pagesOf = ({ roles: own }: Pick<StaffSession, 'roles'>): readonly DeskPage[] =>
  deskPages.filter(({ roles }) => roles === undefined || roles.some((role) => own.includes(role)))
