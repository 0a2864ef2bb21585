import { Fragment, memo, useDeferredValue } from 'react'
import { Outlet, Route, Routes, useLocation, useNavigationType } from 'react-router-dom'
import { type PageName, pages } from '#shared/platform/pages.ts'
import { OwnDocument } from './documents.tsx'
import { Guard } from './guard.tsx'
import { lazyPart } from './lazy-part.ts'
import { PageBoundary } from './page-failure.tsx'
import { type LayoutName, layouts } from './page-files.ts'
import { PageWaiting } from './page-waiting.tsx'
import { layoutParts, pageParts } from './pages.ts'
import { routes } from './routes.ts'
import { Shell } from './shell.tsx'
import { WithConfig } from './with-config.tsx'

const NotFoundPage = lazyPart(async () => (await import('./not-found.page.tsx')).NotFoundPage)

/** A route for each row of the table. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        {pageRoutes(undefined)}
        {(Object.keys(layouts) as LayoutName[]).map((layout) => (
          <Route key={layout} element={<PagesInside layout={layout} />}>
            {pageRoutes(layout)}
          </Route>
        ))}
        <Route
          path="*"
          element={
            <PageBoundary>
              <NotFoundPage />
            </PageBoundary>
          }
        />
      </Route>
    </Routes>
  )
}

function pageRoutes(layout: LayoutName | undefined) {
  return (Object.keys(pages) as PageName[])
    .filter((name) => routes[name].layout === layout)
    .map((name) => <Route key={name} path={pages[name]} element={<GuardedPage key={name} name={name} />} />)
}

function PagesInside({ layout }: { readonly layout: LayoutName }) {
  const Layout = layoutParts[layout]
  return (
    <PageBoundary>
      <Layout>
        <Outlet />
      </Layout>
    </PageBoundary>
  )
}

/** Another entry of the history at the same address does not render the page again. */
const PageOf = memo(function PageOf({ name }: { readonly name: PageName }) {
  const Page = pageParts[name]
  return routes[name].needsConfig ? (
    <WithConfig>
      <Page />
    </WithConfig>
  ) : (
    <Page />
  )
})

function GuardedPage({ name }: { readonly name: PageName }) {
  const { access, document } = routes[name]
  const { pathname, hash } = useLocation()
  // A press is answered by a frame without the page, which is rendered in slices after it. Back needs the page at once, to
  // restore its scroll position, and so does a fragment.
  const isAwaited = useNavigationType() === 'PUSH' && hash === ''
  const isThere = useDeferredValue(true, !isAwaited)
  return (
    <PageBoundary>
      <Guard access={access}>
        {/* Remounts the page at another address, so that it shows no state of the page before. */}
        <Fragment key={pathname}>
          {!isThere ? (
            <PageWaiting />
          ) : document === undefined ? (
            <PageOf name={name} />
          ) : (
            <OwnDocument kind={document}>
              <PageOf name={name} />
            </OwnDocument>
          )}
        </Fragment>
      </Guard>
    </PageBoundary>
  )
}
