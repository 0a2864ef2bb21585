/**
 * Under https it has the `__Host-` prefix, which browsers refuse on plain http. There the port is part of the name,
 * because all ports of a host share cookies, and two demos on one machine must not share sessions.
 */
export function cookieName(publicUrl: string, what: string): string {
  return isSecure(publicUrl) ? `__Host-${what}` : `${what}_${new URL(publicUrl).port || '80'}`
}

export const isSecure = (publicUrl: string) => new URL(publicUrl).protocol === 'https:'

/** Lax, because a link from another site, such as the identity provider's, must open a page signed in. */
export const cookieAttributes = ({ secure }: { readonly secure: boolean }) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const
