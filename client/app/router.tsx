import { Fragment } from 'react'
import { Outlet, Route, Routes, useLocation } from 'react-router-dom'
import { type PageName, pages } from '#shared/platform/pages.ts'
import { OwnDocument } from './documents.tsx'
import { Guard } from './guard.tsx'
import { lazyPart } from './lazy-part.ts'
import { PageBoundary } from './page-failure.tsx'
import { type LayoutName, layouts } from './page-files.ts'
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

function GuardedPage({ name }: { readonly name: PageName }) {
  const { access, document, needsConfig } = routes[name]
  const { pathname } = useLocation()
  const Page = pageParts[name]
  const page = needsConfig ? (
    <WithConfig>
      <Page />
    </WithConfig>
  ) : (
    <Page />
  )
  return (
    <PageBoundary>
      <Guard access={access}>
        {/* Remounts the page at another address, so that it shows no state of the page before. */}
        <Fragment key={pathname}>
          {document === undefined ? page : <OwnDocument kind={document}>{page}</OwnDocument>}
        </Fragment>
      </Guard>
    </PageBoundary>
  )
}
