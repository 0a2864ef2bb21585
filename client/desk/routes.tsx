import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import { type DeskPage, type DeskPageProps, deskPages, pagesOf } from './pages.ts'
import { NotFound } from './signed-out.tsx'
import { RowsWaiting } from './states.tsx'

const parts = new Map<DeskPage, ComponentType<DeskPageProps>>(
  deskPages.map((page) => [page, lazy(async () => ({ default: await page.load() }))]),
)

/** The page at the address. */
export function DeskRoutes({ staff }: DeskPageProps) {
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
