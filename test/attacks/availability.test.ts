import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { bytesOf, openConnection } from '#test/kit/raw-http.ts'

/** One client that keeps the gateway busy, and an honest one who gets through meanwhile. */

const maxRequests = 8

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({ env: { MAX_REQUESTS: String(maxRequests) } })
})
afterAll(() => stack?.close())

/** Signs up, chooses, books and pays. @throws when anything is refused. */
async function honestTwin(): Promise<void> {
  await paidOrder(stack, await signedUpPilgrim(stack))
}

/** A whole file, or document, of some hundred kilobytes. */
const large = '/api/openapi.json'
const requestsOf = (target: string, count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () => bytesOf({ method: 'GET', target, headers: [['host', 'localhost']] })),
  )

/** Resolves when the gateway has received so many requests for the target. */
function received(target: string, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let seen = 0
  const listen = ({ url }: IncomingMessage) => {
    if (url !== target) return
    seen += 1
    if (seen === count) resolve()
  }
  stack.gateway.server.on('request', listen)
  return promise.finally(() => stack.gateway.server.off('request', listen))
}

describe('connections that ask for much and read nothing', () => {
  it('do not keep others from signing in, booking and paying', async () => {
    const [sockets, each] = [4, 16]
    const allReceived = received(large, sockets * each)
    for (let index = 0; index < sockets; index += 1) {
      // Nothing listens for data, so nothing is read beyond the first buffer.
      const socket = connect(Number(new URL(stack.gatewayUrl).port), '127.0.0.1')
      socket.on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      socket.write(requestsOf(large, each))
    }
    await allReceived
    await honestTwin()
  })
})

describe('a connection that sends a thousand requests at once', () => {
  it('is closed, and others are served meanwhile', async () => {
    const greedy = openConnection(stack.gatewayUrl)
    greedy.write(requestsOf('/healthz', 1_300))
    await honestTwin()
    await greedy.ended
    let answers = 0
    while (await greedy.answer()) answers += 1
    expect(answers).toBeLessThanOrEqual(16)
  })
})
