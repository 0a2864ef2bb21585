import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import type { DeskIconName } from './desk-icon.tsx'

export interface DeskPageProps {
  staff: StaffSession
}

/** Below this width the menu has short names below its icons. The unit is em, because larger text needs more width. */
export const narrow = '(max-width: 68.74em)'

export const searchPath = '/search'
export const ordersPath = '/orders'
export const approvalsPath = '/approvals'
export const auditPath = '/audit'
export const orderPath = (orderId: number): string => `${ordersPath}/${orderId}`
/** The page of a work list. Approval requests have a separate page. */
export const workPath = (kind: WorkKind): string => (kind === 'approvals' ? approvalsPath : `/work/${kind}`)
export const claimPath = (claimId: number | string): string => `/claims/${claimId}`
export const personPath = (userId: number): string => `/people/${userId}`

export interface DeskMenuRow {
  to: string
  name: WorkKind | 'orders' | 'stops' | 'audit' | 'workers'
  icon: DeskIconName
  /** The key that opens the page after G, for example `o`. */
  key?: string
}

/** A path below /desk, in the form that the router uses. */
export type DeskPath =
  | '/'
  | '/work/:kind'
  | '/approvals'
  | '/orders'
  | '/orders/:ref'
  | '/search'
  | '/claims/:claimId'
  | '/people/:userId'
  | '/stops'
  | '/audit'
  | '/workers'
  | '/session'

export interface DeskPage {
  path: DeskPath
  /** The group and the rows of the page in the menu. A page without them is opened from other pages. */
  menu?: { under: 'lists' | 'records'; rows: readonly DeskMenuRow[] }
  /** The roles that may open the page; absent for every role. */
  roles?: readonly StaffRole[]
}

const list = (name: WorkKind, icon: DeskIconName, key?: string): DeskMenuRow => ({
  to: workPath(name),
  name,
  icon,
  ...(key !== undefined && { key }),
})

/** One row per page. Menu, router and keys follow it; routes.tsx loads the page. */
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
    menu: { under: 'lists', rows: [list('approvals', 'people', 'p')] },
    roles: ['money', 'lead'],
  },
  {
    path: ordersPath,
    menu: { under: 'records', rows: [{ to: ordersPath, name: 'orders', icon: 'list', key: 'o' }] },
  },
  { path: '/orders/:ref' },
  { path: searchPath },
  { path: '/claims/:claimId' },
  { path: '/people/:userId' },
  {
    path: '/stops',
    menu: { under: 'records', rows: [{ to: '/stops', name: 'stops', icon: 'stop' }] },
    roles: ['lead'],
  },
  {
    path: auditPath,
    menu: { under: 'records', rows: [{ to: auditPath, name: 'audit', icon: 'eye' }] },
    roles: ['lead'],
  },
  {
    path: '/workers',
    menu: { under: 'records', rows: [{ to: '/workers', name: 'workers', icon: 'gear' }] },
    roles: ['lead'],
  },
  { path: '/session' },
  { path: '/' },
]

/** The rows of the menu for an operator, in the order of the screen. */
export const menuRowsOf = (staff: StaffSession, under: 'lists' | 'records'): readonly DeskMenuRow[] =>
  deskPages.flatMap((page) => (page.menu?.under === under && isFor(page, staff) ? page.menu.rows : []))

export const isFor = ({ roles }: DeskPage, staff: StaffSession): boolean =>
  roles === undefined || roles.some((role) => staff.roles.includes(role))
