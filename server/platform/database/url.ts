/**
 * The URL of each server that a DATABASE_URL names. Several are in the form of libpq, which no parser of URLs reads:
 * `postgres://user:password@one:5432,two:5432/name`.
 */
export function serversOf(url: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => `${start}${host}${rest}`)
}

/** Servers and database, without user and password. */
export function nameOf(url: string): string {
  const servers = serversOf(url).map((each) => new URL(each))
  return `${servers.map(({ host }) => host).join(',')}${servers[0]?.pathname}`
}
