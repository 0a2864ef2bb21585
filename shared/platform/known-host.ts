/**
 * `localhost` and names below it, an IP address, a name without a dot (of a container), or the host of one of `urls`. A
 * page elsewhere can point its own name at this machine (DNS rebinding) and is then of the same origin, but that name
 * is none of these. Clients other than browsers may send no `Host`.
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
