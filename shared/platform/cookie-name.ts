/**
 * Browsers refuse the prefix `__Host-` with plain http. There the port is part of the name: all ports of a host share
 * cookies, and two demos on one machine must not share sessions.
 */
export function cookieName(publicUrl: string, what: string): string {
  return isSecure(publicUrl) ? `__Host-${what}` : `${what}_${new URL(publicUrl).port || '80'}`
}

export const isSecure = (publicUrl: string) => new URL(publicUrl).protocol === 'https:'

/** Cookies are `lax`: a link on another site, such as the identity provider, must open the page with its session. */
export const cookieAttributes = ({ secure }: { readonly secure: boolean }) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const
