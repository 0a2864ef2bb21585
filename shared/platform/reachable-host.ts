/** The host in a URL for a program that listens on `host` of the same machine. */
export function hostFromHere(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Browsers reach another program on the same `host` as the one at `publicUrl` by this name, without a proxy. If it
 * listens on every address, it is the host that browsers know.
 */
export function hostForBrowsers(host: string, publicUrl: string | undefined): string {
  const url = ['0.0.0.0', '::'].includes(host) ? URL.parse(publicUrl ?? '') : null
  return url?.protocol === 'http:' ? url.hostname : hostFromHere(host)
}
