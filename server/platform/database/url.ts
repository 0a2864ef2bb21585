/** No URL parser reads libpq's form for several servers: `postgres://user:password@one:5432,two:5432/name`. */
export function serversOf(url: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => `${start}${host}${rest}`)
}

export function nameOf(url: string): string {
  const servers = serversOf(url).map((each) => new URL(each))
  return `${servers.map(({ host }) => host).join(',')}${servers[0]?.pathname}`
}
