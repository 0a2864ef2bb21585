import type { ComponentType } from 'react'
import { approvalsPath, auditPath, claimPath, type DeskPageProps, ordersPath, searchPath } from './pages.ts'

/** The file of each page, by the path of its row in pages.ts. */
export const deskPageFiles: Readonly<Record<string, () => Promise<ComponentType<DeskPageProps>>>> = {
  '/work/:kind': async () => (await import('./work/work.page.tsx')).WorkPage,
  [approvalsPath]: async () => (await import('./approvals/approvals.page.tsx')).ApprovalsPage,
  [ordersPath]: async () => (await import('./orders/orders.page.tsx')).OrdersPage,
  [`${ordersPath}/:ref`]: async () => (await import('./orders/order.page.tsx')).OrderPage,
  [searchPath]: async () => (await import('./orders/search.page.tsx')).SearchPage,
  [claimPath(':claimId')]: async () => (await import('./claims/claim.page.tsx')).ClaimPage,
  '/people/:userId': async () => (await import('./people/person.page.tsx')).PersonPage,
  '/stops': async () => (await import('./stops/stops.page.tsx')).StopsPage,
  [auditPath]: async () => (await import('./audit/audit.page.tsx')).AuditPage,
  '/workers': async () => (await import('./workers/workers.page.tsx')).WorkersPage,
  '/session': async () => (await import('./session.page.tsx')).SessionPage,
  '/': async () => (await import('./work/work.page.tsx')).WorkPage,
}
