import { type ReactNode, useEffect } from 'react'
import { Link, type LinkProps, matchPath, Navigate, useLocation } from 'react-router-dom'
import { replaceDocument } from '#client/platform/document.ts'
import { routePatterns } from '#client/platform/paths.ts'
import { Loading } from '#client/ui/loading.tsx'

/*
 * The payment page is a document of its own: only its content policy lets the provider's script in, and that
 * script must not live on beside other pages. The router stays on its side of the border; these cross it.
 */

function isPayment(pathname: string): boolean {
  return matchPath(routePatterns.payment, pathname) !== null
}

function pathnameOf(href: string): string {
  return href.replace(/[?#].*$/, '')
}

export function crossesDocuments(from: string, to: string): boolean {
  return isPayment(pathnameOf(from)) !== isPayment(pathnameOf(to))
}

/** A link of the shell: an ordinary link, except out of the payment document. */
export function AppLink({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  const { pathname } = useLocation()
  return <Link to={to} reloadDocument={crossesDocuments(pathname, to)} {...rest} />
}

/** Goes to `to` in place of this page. */
export function Redirect({ to }: { to: string }) {
  const { pathname } = useLocation()
  return crossesDocuments(pathname, to) ? <OtherDocument href={to} /> : <Navigate to={to} replace />
}

function OtherDocument({ href }: { href: string }) {
  useEffect(() => replaceDocument(href), [href])
  return <Loading />
}

const firstPathname = window.location.pathname

/** Shows the payment page only in a document that was loaded as one. */
export function PaymentDocument({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  return isPayment(firstPathname) ? children : <OtherDocument href={pathname + search} />
}
