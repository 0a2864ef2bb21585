/**
 * Another site can point its domain at this machine to get our origin (DNS rebinding), so only `localhost`, IP
 * addresses, names without a dot (containers) and the hosts of `urls` are accepted. Some clients other than browsers
 * send no host, which is accepted, too.
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
