import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#shared/platform/problem.ts'
import { signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { type Connection, openConnection, type RawAnswer } from '#test/kit/raw-http.ts'
import type { Stack } from '#test/kit/stack.ts'

/** Clients that hold connections and never complete a request, at a gateway with short timeouts. */

const maxConnections = 50

let stack: Stack
let host: string
beforeAll(async () => {
  // Short, so that the test sees the disconnection soon.
  stack = await ownStack({
    limits: { headersTimeoutMs: 700, requestTimeoutMs: 1_500, keepAliveTimeoutMs: 300, maxConnections },
  })
  host = new URL(stack.gatewayUrl).host
})
afterAll(() => stack?.close())

const post = (...headers: string[]) =>
  `${['POST /api/auth/request-otp HTTP/1.1', ...headers, 'sec-fetch-site: same-origin', 'content-type: application/json'].join('\r\n')}\r\n`

const open = (bytes = ''): Connection => {
  const connection = openConnection(stack.gatewayUrl)
  if (bytes !== '') connection.write(bytes)
  return connection
}

async function read(connection: Connection): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (let answer = await connection.answer(); answer; answer = await connection.answer())
    answers.push(answer)
  await connection.ended
  return answers
}

/** Retries: on a busy machine an honest request can exceed these short timeouts. */
const honestPersonGetsIn = () => eventually(() => signedUpPilgrim(stack))

describe('a client that never completes its request', () => {
  it('is cut off in the headers, in the body, and while trickling, and others are served meanwhile', async () => {
    const slow = [
      'GET /api/config HTTP/1.1\r\nhost: ',
      `GET /api/config HTTP/1.1\r\nhost: ${host}\r\nx-a: b\r\n`,
      `${post(`host: ${host}`, 'content-length: 40')}\r\n{"phone":`,
      `${post(`host: ${host}`, 'transfer-encoding: chunked')}\r\n5\r\n{"pho`,
    ].map(open)
    const trickling = open(`GET /api/config HTTP/1.1\r\nhost: ${host}\r\n`)
    const drip = setInterval(() => trickling.write('x-drip: 1\r\n'), 100)
    try {
      await honestPersonGetsIn()
      // Without the timeouts these promises would never resolve.
      for (const connection of [...slow, trickling])
        for (const { status, body } of await read(connection)) {
          expect(status).toBe(408)
          expect(Value.Check(Problem, JSON.parse(body.toString('utf8')))).toBe(true)
        }
    } finally {
      clearInterval(drip)
    }
  })
})

describe('a client that holds every available connection', () => {
  const dropped = async () =>
    (await metricsOf([stack.gatewayUrl])).get('amtiati_connections_dropped_total') ?? 0

  it('without a byte is disconnected, and leaves connections for others', async () => {
    const silent = Array.from({ length: maxConnections }, () => open())
    await Promise.all(silent.map(read))
    await honestPersonGetsIn()
  })

  it('with empty lines after an answer is disconnected, and leaves connections for others', async () => {
    const held = Array.from({ length: maxConnections }, () =>
      open(`GET /api/config HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
    )
    const drip = setInterval(() => {
      for (const connection of held) connection.write('\r\n')
    }, 100)
    try {
      await Promise.all(held.map(read))
    } finally {
      clearInterval(drip)
    }
    await honestPersonGetsIn()
  })

  it('is refused further ones', async () => {
    const before = await eventually(dropped)
    const hoarded = Array.from({ length: maxConnections + 20 }, () => open())
    await Promise.all(hoarded.map(read))
    expect((await eventually(dropped)) - before).toBeGreaterThanOrEqual(20)
    await honestPersonGetsIn()
  })
})
