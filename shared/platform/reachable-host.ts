export function hostFromHere(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * The host by which browsers reach, without a proxy, a program that listens on the address `host`. A program on every
 * address has the host of `publicUrl`, except with `https:`, because then a proxy stands in between.
 */
export function hostForBrowsers(host: string, publicUrl: string | undefined): string {
  const url = ['0.0.0.0', '::'].includes(host) ? URL.parse(publicUrl ?? '') : null
  return url?.protocol === 'http:' ? url.hostname : hostFromHere(host)
}
