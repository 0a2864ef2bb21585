import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ReceiptDocument } from '#server/features/receipts/receipts.rules.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import { type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { bytesOf, openConnection } from '#test/kit/gateway/raw-http.ts'

/** One client that keeps the gateway busy, and an honest one who gets through meanwhile. */

// More than the honest client and one account need at once.
const maxRequests = 50

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({ limits: { maxRequests } })
})
afterAll(() => stack?.close())

const readReceipt = ({ person }: Pilgrim, orderId: number) =>
  person.send('GET', readReceiptPdf.path.replace(':id', String(orderId)))

/** Signs up, chooses, books and pays, and reads the receipt. @throws when anything is refused. */
async function honestTwin(): Promise<void> {
  const twin = await signedUpPilgrim(stack)
  const { status } = await readReceipt(twin, await paidOrder(stack, twin))
  if (status !== 200) throw new Error(`the receipt was answered ${status}`)
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
    const [sockets, each] = [10, 16]
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

describe('one account that asks for receipts without end', () => {
  it('gets twenty a minute, drawn beside the event loop, and others are served meanwhile', async () => {
    const greedy = await signedUpPilgrim(stack)
    const orders: number[] = []
    for (let count = 0; count < 4; count += 1) orders.push(await paidOrder(stack, greedy))
    const drawing = vi.spyOn(Worker.prototype, 'postMessage')
    const asked = Array.from({ length: 40 }, (_, index) =>
      readReceipt(greedy, orders[index % orders.length] ?? 0),
    )
    await honestTwin()
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    for (const { status, headers } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const drawn = drawing.mock.calls.flatMap(([documents]) => documents as readonly ReceiptDocument[])
    expect(drawn.map((document) => document.orderNumber)).toEqual(
      expect.arrayContaining(orders.map(orderNumber)),
    )
  })
})
