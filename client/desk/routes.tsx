import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { reloadDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { deskPageFiles } from './page-files.ts'
import { type DeskPage, type DeskPageProps, deskPages, pagesOf } from './pages.ts'
import { NotFound } from './signed-out.tsx'
import { Retry, RowsWaiting } from './states.tsx'

/** Whose file did not come. React keeps that: they need a new part. */
const missing = new Set<DeskPage>()

const partOf = (page: DeskPage): ComponentType<DeskPageProps> =>
  lazy(async () => {
    const load = deskPageFiles[page.path]
    if (load === undefined) throw new Error(`page-files.ts has no file for ${page.path}`)
    try {
      return { default: await load() }
    } catch (error) {
      missing.add(page)
      throw error
    }
  })

const parts = new Map(deskPages.map((page) => [page, partOf(page)]))

function renewMissing(): void {
  for (const page of missing) parts.set(page, partOf(page))
  missing.clear()
}

/** The page at the address. Where its file does not come, menu and bar stay. */
export function DeskRoutes({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk')
  const { pathname } = useLocation()
  return (
    <ErrorBoundary
      resetKey={pathname}
      onError={renewMissing}
      fallback={(_, retry) => <Retry text={t('failed.page')} onRetry={retry ?? reloadDocument} />}
    >
      <Pages staff={staff} />
    </ErrorBoundary>
  )
}

function Pages({ staff }: DeskPageProps) {
  return (
    <Suspense fallback={<RowsWaiting />}>
      <Routes>
        {pagesOf(staff).map((page) => {
          const Part = parts.get(page)
          return Part && <Route key={page.path} path={page.path} element={<Part staff={staff} />} />
        })}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  )
}
