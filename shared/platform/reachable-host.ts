/** The name in a URL by which a program that listens on `host` is reached from its own machine. */
export function hostFromHere(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * The name by which browsers reach another program that listens on the same `host` as the one at `publicUrl`, without a proxy:
 * when it listens on every address, the name that the browsers know.
 */
export function hostForBrowsers(host: string, publicUrl: string | undefined): string {
  const url = ['0.0.0.0', '::'].includes(host) ? URL.parse(publicUrl ?? '') : null
  return url?.protocol === 'http:' ? url.hostname : hostFromHere(host)
}
