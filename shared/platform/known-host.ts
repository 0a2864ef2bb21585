/**
 * True for `localhost` and names below it, an IP address, a name without a dot (of a container) and the hosts of
 * `urls`. Another site can point its own name at this machine and so get its origin (DNS rebinding), but that name is
 * refused here. A missing host is accepted, because clients other than browsers may send none.
 */
export function isKnownHost(host: string | undefined, urls: readonly string[]): boolean {
  if (host === undefined || host === '') return true
  if (!/^[\w.:[\]-]+$/.test(host)) return false
  const name = URL.parse(`http://${host}`)?.hostname
  if (name === undefined || name === '') return false
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name)
  if (isAddress || !name.includes('.') || name.endsWith('.localhost')) return true
  return urls.some((url) => URL.parse(url)?.hostname === name)
}
