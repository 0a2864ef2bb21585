import { useLocation } from 'react-router-dom'
import { deskSignInPath } from '#shared/desk/staff/staff.operations.ts'
import { deskPath } from '#shared/platform/pages.ts'

/** The way to the company's sign-in, and back to this page. `again`: it asks who it is, although it knows. */
export function useSignInAddress({ again = false } = {}): string {
  const { pathname, search } = useLocation()
  const next = `${deskPath}${pathname === '/' ? '' : pathname}${search}`
  return `${deskSignInPath}?${new URLSearchParams({ next, ...(again && { again: '1' }) })}`
}
