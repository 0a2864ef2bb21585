import { Skeleton } from 'antd'
import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import { useAfter } from '#client/platform/time.ts'
import { type DeskPage, type DeskPageProps, deskPages, pagesOf } from './pages.ts'
import { NotFound } from './signed-out.tsx'

const parts = new Map<DeskPage, ComponentType<DeskPageProps>>(
  deskPages.map((page) => [page, lazy(async () => ({ default: await page.load() }))]),
)

/** The page at the address. */
export function DeskRoutes({ staff }: DeskPageProps) {
  return (
    <Suspense fallback={<PageWaiting />}>
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

/** Rows in outline, for a page that takes longer than a moment. */
function PageWaiting() {
  return useAfter(200) ? <Skeleton active title paragraph={{ rows: 6 }} /> : null
}
