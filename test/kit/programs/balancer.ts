import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One address in front of several gateways, which answer in turn. */
export interface Balancer {
  readonly url: string
  /** Sets the gateways. */
  forwardTo(gatewayUrls: readonly string[]): void
  close(): Promise<void>
}

export async function openBalancer(): Promise<Balancer> {
  let targets: readonly string[] = []
  let turn = 0
  const server = createServer((request, response) => {
    const first = turn++
    forward(
      request,
      response,
      targets.map((_, index) => targets[(first + index) % targets.length] ?? ''),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    forwardTo(gatewayUrls) {
      targets = gatewayUrls
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Tries the next gateway only when the connection is refused: one that is cut off later may have done the work. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  [url, ...others]: readonly string[],
): void {
  if (url === undefined) {
    response.writeHead(502, { 'content-type': 'text/plain' }).end('no gateway answers')
    return
  }
  const onward = ask(`${url}${request.url}`, {
    method: request.method,
    headers: request.headers,
    agent: false,
  })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  })
  onward.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') forward(request, response, others)
    else response.destroy()
  })
  response.on('close', () => onward.destroy())
  request.on('error', () => onward.destroy())
  // Piped only once connected: a body written to a refused connection would be lost for the next.
  onward.on('socket', (socket) => socket.once('connect', () => request.pipe(onward)))
}
