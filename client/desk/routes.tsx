import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { reloadDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { useRoleNames } from './by.tsx'
import { type DeskPageProps, type DeskPath, deskPages, isFor } from './pages.ts'
import { NotFound, Retry, RowsWaiting, Unknown } from './states.tsx'

const work = async () => (await import('./work/work.page.tsx')).WorkPage

/** Loads the file of each page. */
export const loadPage: Record<DeskPath, () => Promise<ComponentType<DeskPageProps>>> = {
  '/': work,
  '/work/:kind': work,
  '/approvals': async () => (await import('./approvals/approvals.page.tsx')).ApprovalsPage,
  '/orders': async () => (await import('./orders/orders.page.tsx')).OrdersPage,
  '/orders/:ref': async () => (await import('./orders/order.page.tsx')).OrderPage,
  '/search': async () => (await import('./orders/search.page.tsx')).SearchPage,
  '/claims/:claimId': async () => (await import('./claims/claim.page.tsx')).ClaimPage,
  '/people/:userId': async () => (await import('./people/person.page.tsx')).PersonPage,
  '/stops': async () => (await import('./stops/stops.page.tsx')).StopsPage,
  '/audit': async () => (await import('./audit/audit.page.tsx')).AuditPage,
  '/workers': async () => (await import('./workers/workers.page.tsx')).WorkersPage,
  '/session': async () => (await import('./session.page.tsx')).SessionPage,
}

/** Paths whose file did not load. React keeps the failure, so each of them needs a new component. */
const missing = new Set<DeskPath>()

const componentOf = (path: DeskPath): ComponentType<DeskPageProps> =>
  lazy(async () => {
    try {
      return { default: await loadPage[path]() }
    } catch (error) {
      missing.add(path)
      throw error
    }
  })

const components = new Map(deskPages.map(({ path }) => [path, componentOf(path)]))

function renewMissing(): void {
  for (const path of missing) components.set(path, componentOf(path))
  missing.clear()
}

/** The page at the address. When its file does not load, menu and bar stay on screen. */
export function DeskRoutes({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk')
  const { pathname } = useLocation()
  return (
    <ErrorBoundary
      resetKey={pathname}
      onError={renewMissing}
      fallback={(_, retry) => <Retry text={t('failed.page')} onRetry={retry ?? reloadDocument} />}
    >
      <Suspense fallback={<RowsWaiting />}>
        <Pages staff={staff} />
      </Suspense>
    </ErrorBoundary>
  )
}

const Pages = ({ staff }: DeskPageProps) => (
  <Routes>
    {deskPages.map((page) => {
      const Page = components.get(page.path)
      const element = isFor(page, staff) ? (
        Page && <Page staff={staff} />
      ) : (
        <NoRight roles={page.roles ?? []} />
      )
      return <Route key={page.path} path={page.path} element={element} />
    })}
    <Route path="*" element={<NotFound />} />
  </Routes>
)

/** The roles that may open a page, for an operator who may not. */
function NoRight({ roles }: { roles: readonly StaffRole[] }) {
  const { t } = useTranslation('desk')
  const names = useRoleNames()(roles)
  return (
    <Unknown
      title={t('noRight.title', { roles: names })}
      text={t('noRight.ask')}
      to="/"
      link={t('notFound.home')}
    />
  )
}
