/** Returns the host for a URL of a program that listens on `host` of this machine. */
export function hostFromHere(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Returns the host of the URL by which browsers reach a program of this machine directly, without a proxy. `host` is
 * the address on which the program listens. A program that listens on every address has the host of `publicUrl`, if
 * that begins with `http:`; with `https:` a proxy stands in between.
 */
export function hostForBrowsers(host: string, publicUrl: string | undefined): string {
  const url = ['0.0.0.0', '::'].includes(host) ? URL.parse(publicUrl ?? '') : null
  return url?.protocol === 'http:' ? url.hostname : hostFromHere(host)
}
