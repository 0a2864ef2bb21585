/** The host in a URL for a program that listens on `host` of the same machine. */
export function hostFromHere(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * The host in a URL by which browsers reach, without a proxy, a program that listens on `host`. When that is every address,
 * it is the host of `publicUrl`, if that is not behind a proxy (`http:`).
 */
export function hostForBrowsers(host: string, publicUrl: string | undefined): string {
  const url = ['0.0.0.0', '::'].includes(host) ? URL.parse(publicUrl ?? '') : null
  return url?.protocol === 'http:' ? url.hostname : hostFromHere(host)
}
