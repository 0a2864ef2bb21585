import { createServer } from 'node:http'
import { healthPaths } from '#server/platform/plugins/health.ts'

/** Answers health checks until a database is available: the process is alive, but not ready. */
export function createNotReady({ HOST, PORT }: { readonly HOST: string; readonly PORT: number }) {
  const server = createServer(({ url }, response) => {
    const isAlive = url === healthPaths.alive
    response.writeHead(isAlive ? 200 : 503, { 'content-type': 'application/json', 'retry-after': '5' })
    response.end(JSON.stringify(isAlive ? { alive: true } : { ready: false, failing: ['database'] }))
  })
  // Errors such as a port in use are ignored: the gateway listens on the same port later, and reports them.
  server.on('error', () => undefined)
  return {
    listen(): void {
      if (!server.listening) server.listen(PORT, HOST)
    },
    async close(): Promise<void> {
      if (!server.listening) return
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}
