import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { listCenters } from '#shared/partner/partner.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { newPhone, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { newPerson } from '#test/kit/gateway/person.ts'
import { startDeployment } from '#test/kit/programs/deployments.ts'
import { startHaproxy } from '#test/kit/programs/haproxy.ts'
import { onFreePorts } from '#test/kit/programs/ports.ts'
import { type ProcessStack, refuses, startStack } from '#test/kit/programs/stack.ts'

/** Clients at once; while one of them works, the others wait. */
const many = isFull ? 50 : 20

const engines = isFull ? (['sqlite', 'postgres'] as const) : (['postgres'] as const)

describe.each(engines)('a gateway on %s that is asked to stop', (engine) => {
  let stack: ProcessStack
  let pilgrim: Pilgrim
  beforeAll(async () => {
    const env = engine === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {}
    stack = await startStack({ env })
    pilgrim = await signedUpPilgrim(stack)
    await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])
  })
  afterAll(() => stack?.close())

  /** A request of the pilgrim on a connection of `agent`. */
  function begin(agent: Agent, method: string, path: string, others: Record<string, string> = {}) {
    const cookie = [...pilgrim.person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin', ...others }
    const sent = request(`${stack.gatewayUrl}${path}`, { method, agent, headers })
    const answer = (async () => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const { statusCode: status, headers: answered } = response
      return { status, isLast: answered.connection === 'close', json: await readJson(response) }
    })()
    return { sent, answer }
  }

  /** Resolves when the whole request has left this process and the gateway, which then asks for the body, is at work on it. */
  async function post(agent: Agent, path: string, body: unknown) {
    const asked = { 'content-type': 'application/json', expect: '100-continue' }
    const { sent, answer } = begin(agent, 'POST', path, asked)
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.end(JSON.stringify(body))
    await once(sent, 'finish')
    return { answer }
  }

  function get(agent: Agent, path: string) {
    const { sent, answer } = begin(agent, 'GET', path)
    sent.end()
    return answer
  }

  it(`answers ${many} checkouts in progress, and each is one order and one intention`, async () => {
    const { person, user } = pilgrim
    const body = await person.offer(user.id)
    const before = (await stack.control.payments()).length
    const hold = await stack.control.setFault('payment', {
      kind: 'hold',
      match: { operation: 'create-intention' },
    })

    const connections = new Agent({ keepAlive: true })
    onTestFinished(() => connections.destroy())
    const sent = await Promise.all(Array.from({ length: many }, () => post(connections, checkout.path, body)))
    await stack.control.untilHeld(hold, 1)
    const ended = stack.killGateway('SIGTERM')
    await eventually(() => refuses(stack.gatewayUrl))
    await stack.control.endFault(hold)
    const answers = await Promise.all(sent.map(({ answer }) => answer))
    expect(await ended).toBe(0)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))

    await stack.startGateway()
    const answered = answers.map(({ json }) => (json as { orderId: number }).orderId).sort((a, b) => a - b)
    const stored = (
      await person.send('GET', `/api/orders/user/${user.id}?limit=100`).then(({ json }) => json as OrderList)
    ).orders
    expect(stored.map(({ orderId }) => orderId).sort((a, b) => a - b)).toEqual(answered)
    expect((await stack.control.payments()).length).toBe(before + many)
    const payments = await Promise.all(answered.map((orderId) => stack.control.paymentsOf(orderId)))
    expect(payments.map(({ length }) => length)).toEqual(answered.map(() => 1))
  })

  it(`loses no request of ${many} clients that send without pauses on kept connections`, async () => {
    await stack.killGateway('SIGTERM')
    await stack.startGateway(0, { DRAIN_MS: isFull ? '5000' : '2000' })
    let answers = 0
    const clients = Array.from({ length: many }, async () => {
      const connection = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => connection.destroy())
      for (;;) {
        const { status, isLast } = await get(connection, readUserSession.path)
        if (status !== 200) return `answered ${status}`
        answers += 1
        if (isLast) return 'asked to close the connection'
      }
    })
    const ends = Promise.allSettled(clients)
    await eventually(() => (answers >= 4 * many ? true : undefined))
    expect(await stack.killGateway('SIGTERM')).toBe(0)
    expect(await ends).toEqual(
      clients.map(() => ({ status: 'fulfilled', value: 'asked to close the connection' })),
    )
    await stack.startGateway()
  })
})

interface OrderList {
  readonly orders: readonly { readonly orderId: number }[]
}

// In the full run only: `npm test` must not need HAProxy.
if (isFull)
  describe('two gateways on PostgreSQL behind HAProxy', () => {
    it('are restarted one after the other under load, and no request fails', async () => {
      const { stack, haproxy } = await onFreePorts(1, async ([port]) => {
        // Many times the time HAProxy needs to notice that a gateway stops.
        const env = { DRAIN_MS: '5000' }
        const engine = { engine: 'postgres', gateways: 2 } as const
        const stack = await startDeployment(engine, `http://127.0.0.1:${port}`, env)
        onTestFinished(() => stack.close())
        const [first = '', second = ''] = stack.gatewayUrls
        const haproxy = await startHaproxy([first, second], { port: port ?? 0 })
        onTestFinished(() => haproxy.close())
        return { stack, haproxy }
      })
      await haproxy.untilUp(2)

      let isOver = false
      let answers = 0
      const failures: string[] = []
      const people = Array.from({ length: 8 }, async () => {
        const person = newPerson(stack, { gatewayUrl: haproxy.url })
        const user = await person.signUp(newPhone(), 'Maryam Al-Harbi')
        while (!isOver) {
          // Each call throws unless the answer is the expected one; a payment also when its callback is refused.
          const orderId = await paidOrder(stack, { person, user })
          const { status } = await person.order(orderId)
          if (status !== 'PAID') failures.push(`order ${orderId} is ${status}`)
          await person.call(readUserSession)
          await person.call(listCenters)
          answers += 1
        }
      }).map((work) => work.catch((error: unknown) => failures.push(String(error))))

      /** Also resolves at the first failure, so that a broken run ends. */
      const moreRounds = async (count: number) => {
        const from = answers
        await eventually(() => (answers >= from + count || failures.length > 0 ? true : undefined))
      }
      await moreRounds(8)
      for (const index of [0, 1]) {
        expect(await stack.killGateway('SIGTERM', index)).toBe(0)
        await moreRounds(8)
        await stack.startGateway(index)
        await haproxy.untilUp(2)
        await moreRounds(8)
      }
      isOver = true
      await Promise.all(people)
      expect(failures).toEqual([])
      expect(answers).toBeGreaterThan(40)
    })
  })
