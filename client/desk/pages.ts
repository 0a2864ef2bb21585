import type { ParseKeys } from 'i18next'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import type { DeskIconName } from './desk-icon.tsx'

export interface DeskPageProps {
  readonly staff: StaffSession
}

/** Below this width the menu is icons and what is beside an order is a drawer. In em: text of twice the size needs twice the width. */
export const narrow = '(max-width: 68.74em)'

export interface DeskMenuRow {
  readonly to: string
  readonly text: ParseKeys<'desk'>
  readonly icon: DeskIconName
  /** The key that opens it after G: `o`. */
  readonly key?: string
  /** Which count stands beside it. */
  readonly counts?: WorkKind
}

export interface DeskPage {
  /** Below /desk, as the router spells it. */
  readonly path: string
  /** Its rows in the menu, under their heading; absent for a page that others lead to. */
  readonly menu?: { readonly under: 'lists' | 'records'; readonly rows: readonly DeskMenuRow[] }
  /** Default: every role. A person with none of them finds no such page. */
  readonly roles?: readonly StaffRole[]
}

export const searchPath = '/search'
export const ordersPath = '/orders'
export const approvalsPath = '/approvals'
export const auditPath = '/audit'
export const orderPath = (orderId: number): string => `${ordersPath}/${orderId}`
/** What is asked for has a page of its own. */
export const workPath = (kind: WorkKind): string => (kind === 'approvals' ? approvalsPath : `/work/${kind}`)
export const claimPath = (claimId: number | string): string => `/claims/${claimId}`
export const personPath = (userId: number): string => `/people/${userId}`

const list = (kind: WorkKind, icon: DeskIconName, key?: string): DeskMenuRow => ({
  to: workPath(kind),
  text: `menuOf.${kind}`,
  icon,
  counts: kind,
  ...(key !== undefined && { key }),
})

/** One row per page. Menu, router and keys follow it; page-files.ts loads the pages. */
export const deskPages: readonly DeskPage[] = [
  {
    path: '/work/:kind',
    menu: {
      under: 'lists',
      rows: [
        list('labels', 'tag'),
        list('bags', 'bag'),
        list('claims', 'flag', 'c'),
        list('messages', 'chat'),
        list('refunds', 'back'),
        list('payments', 'card'),
        list('agents', 'lock'),
      ],
    },
  },
  {
    path: approvalsPath,
    menu: {
      under: 'lists',
      rows: [{ to: approvalsPath, text: 'menuOf.approvals', icon: 'people', key: 'p', counts: 'approvals' }],
    },
    roles: ['money', 'lead'],
  },
  {
    path: ordersPath,
    menu: { under: 'records', rows: [{ to: ordersPath, text: 'menuOf.orders', icon: 'list', key: 'o' }] },
  },
  {
    path: `${ordersPath}/:ref`,
  },
  {
    path: searchPath,
  },
  {
    path: claimPath(':claimId'),
  },
  {
    path: '/people/:userId',
  },
  {
    path: '/stops',
    menu: { under: 'records', rows: [{ to: '/stops', text: 'menuOf.stops', icon: 'stop' }] },
    roles: ['lead'],
  },
  {
    path: auditPath,
    menu: { under: 'records', rows: [{ to: auditPath, text: 'menuOf.audit', icon: 'eye' }] },
    roles: ['lead'],
  },
  {
    path: '/workers',
    menu: { under: 'records', rows: [{ to: '/workers', text: 'menuOf.workers', icon: 'gear' }] },
    roles: ['lead'],
  },
  {
    path: '/session',
  },
  {
    path: '/',
  },
]

/** The pages of a person. */
export const pagesOf = ({ roles: own }: Pick<StaffSession, 'roles'>): readonly DeskPage[] =>
  deskPages.filter(({ roles }) => roles === undefined || roles.some((role) => own.includes(role)))

/** The rows of the menu of these pages, in the order of the screen. */
export const menuRowsOf = (pages: readonly DeskPage[]): readonly DeskMenuRow[] =>
  pages.flatMap(({ menu }) => menu?.rows ?? [])
