import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readRepoFile } from '../repo/repo-files.ts'

/**
 * In front of the gateway. `publish`: it answers as after a release, the same files under another name of the release.
 * `hold`: requests are accepted and not answered until `release`.
 */
export async function startRelay(gatewayUrl: string) {
  const present = /name="release" content="(\w+)"/.exec(readRepoFile('dist/client/index.html'))?.[1] ?? ''
  const next = present.replace(/./g, '0')
  let isPublished = false
  let isHeld = false
  const held: (() => void)[] = []
  const server = createServer((incoming, outgoing) => {
    if (isHeld) held.push(() => forward(incoming, outgoing))
    else forward(incoming, outgoing)
  })
  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // Answered in full and as text: a 304 would mean that nothing was published.
    const { 'if-none-match': _tag, 'if-modified-since': _time, ...asked } = incoming.headers
    const headers = { ...asked, 'accept-encoding': 'identity' }
    const url = new URL(incoming.url ?? '/', gatewayUrl)
    const forwarded = request(url, { method: incoming.method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const bytes = Buffer.concat(parts)
        const isText = /html|javascript/.test(String(answer.headers['content-type']))
        const body = isPublished && isText ? bytes.toString().replaceAll(present, next) : bytes
        const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, kept).end(body)
      })
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }
  await once(server.listen(0), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    next,
    publish() {
      isPublished = true
    },
    hold() {
      isHeld = true
    },
    /** @returns how many requests were held. */
    release(): number {
      isHeld = false
      const released = held.splice(0)
      for (const answer of released) answer()
      return released.length
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
