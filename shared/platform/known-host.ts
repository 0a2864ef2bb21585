/**
 * Another site can point its domain at this machine (DNS rebinding), so only `localhost`, IP addresses, names without a
 * dot (containers), the hosts of `urls`, and a missing host are accepted.
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
