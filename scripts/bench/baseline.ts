import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestions } from './questions.ts'
import { vitals } from './vitals.ts'

/**
 * The baseline of the measurements: a bare `node:http` server that answers every request with the same bytes.
 */
export interface FixedAnswer {
  readonly status: number
  readonly headers: readonly [name: string, value: string][]
  readonly body: string
}

async function serve({ status, headers, body }: FixedAnswer): Promise<string> {
  const bytes = Buffer.from(body, 'base64')
  const flat = headers.flat()
  const server = createServer((_, response) => {
    response.writeHead(status, flat)
    response.end(bytes)
  })
  server.keepAliveTimeout = 72_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

answerQuestions((job) => (job === 'vitals' ? vitals() : serve(job as FixedAnswer)))
