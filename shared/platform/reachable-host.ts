/** Returns the host for a URL of a program that listens on `host` of this machine. */
export function hostFromHere(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Returns the host for a URL by which browsers reach, without a proxy, a program that listens on `host`. If the program
 * listens on every address, this is the host of a `publicUrl` without a proxy (`http:`).
 */
export function hostForBrowsers(host: string, publicUrl: string | undefined): string {
  const url = ['0.0.0.0', '::'].includes(host) ? URL.parse(publicUrl ?? '') : null
  return url?.protocol === 'http:' ? url.hostname : hostFromHere(host)
}
