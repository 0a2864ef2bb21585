import { useLocation } from 'react-router-dom'
import { deskSignInPath } from '#shared/desk/staff/staff.operations.ts'
import { deskPath } from '#shared/platform/pages.ts'

/** Address of the company's sign-in, which leads back to this page. `again`: it asks a known operator to sign in again. */
export function useSignInAddress({ again = false } = {}): string {
  const { pathname, search } = useLocation()
  const next = `${deskPath}${pathname === '/' ? '' : pathname}${search}`
  return `${deskSignInPath}?${new URLSearchParams({ next, ...(again && { again: '1' }) })}`
}
