import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demoKeyHeader } from '#shared/demo/demo.api.ts'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import {
  buildDemoBag,
  buildDemoEvent,
  buildDemoOrder,
  buildDemoPayment,
  buildDemoRefund,
} from '#test/builders/demo-order.builder.ts'
import { buildPartner, createIntention } from '#test/builders/mock-partner.builder.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { runScript } from '#test/kit/programs/tools.ts'
import { recordStack } from './lib/demo-key.mjs'
import { replay } from './replay/replay.ts'
import { openGateway, openProvider } from './replay/sides.ts'

const key = 'a-key-of-this-test'

/** The simulator with payment 42-1, and a gateway that answers with `order`. */
async function setUp() {
  const partner = buildPartner()
  await partner.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => partner.app.close())
  await createIntention(partner)

  const gateway = { order: buildDemoOrder(), isDemo: true }
  const server = createServer((request, response) => {
    const ref = /^\/api\/demo\/orders\/(.+)$/.exec(request.url ?? '')?.[1]
    const answer = (status: number, json: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    if (!gateway.isDemo || ref === undefined) answer(404, { code: 'NOT_FOUND' })
    else if (request.headers[demoKeyHeader] !== key) answer(401, { code: 'DEMO_KEY_REFUSED' })
    else if (!['OD-42', '42', '42-1', '231200021879'].includes(ref)) answer(404, { code: 'ORDER_NOT_FOUND' })
    else answer(200, { success: true, order: gateway.order })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())

  const portOf = (of: { address(): unknown }) => String((of.address() as AddressInfo).port)
  const env = {
    PORT: portOf(server),
    MOCK_PARTNER_PORT: portOf(partner.app.server),
    DEMO_CONTROL_KEY: key,
  }
  /** Effect and answer of the gateway for the next callbacks. */
  const onCallback = (status: number, change: (id: string) => Partial<DemoOrder>) =>
    partner.answerCallbacksWith(() => {
      const last = partner.caught.at(-1)?.body as { obj: { id: number } } | undefined
      gateway.order = { ...gateway.order, ...change(String(last?.obj.id)) }
      return status
    })
  const urlOf = (port: string) => `http://127.0.0.1:${port}`
  const runWith = async (givenKey: string, args: readonly string[]) => {
    const lines: string[] = []
    const sides = () => ({
      gateway: openGateway(urlOf(env.PORT), givenKey),
      provider: openProvider(urlOf(env.MOCK_PARTNER_PORT)),
    })
    const print = (line: string) => void lines.push(line)
    const ended = replay(args, sides, print).then(
      () => ({ code: 0, err: '' }),
      (error: Error) => ({ code: 1, err: error.message }),
    )
    return { ...(await ended), out: lines.join('\n') }
  }
  const run = (...args: string[]) => runWith(key, args)
  return { ...partner, runWith, env, gateway, onCallback, run, closeGateway: () => server.close() }
}

const paid = (id: string): Partial<DemoOrder> => ({
  status: 'PAID',
  transactionId: id,
  bookings: [buildDemoBag('231200021879')],
  payments: [buildDemoPayment({ events: [buildDemoEvent(id)] })],
})

describe('npm run replay', () => {
  it.each(['OD-42', '42', '42-1', '231200021879'])(
    'pays %s, and prints the order before and after',
    async (ref) => {
      const { run, caught, onCallback } = await setUp()
      onCallback(200, paid)
      const { code, out, err } = await run('success', ref)
      expect([code, err]).toEqual([0, ''])
      expect(caught).toHaveLength(1)
      const lines = out.split('\n')
      expect(lines[0]).toBe('OD-42 before: PENDING_PAYMENT, no transaction, no airway bill')
      expect(out).toMatch(
        /\nsuccess of 42-1\n {2}payment \d+: success \(Approved\), 50\.00 SAR\ncallbacks \(send\)\n {2}TRANSACTION \d+ delivered: HTTP 200\n/,
      )
      expect(out).toMatch(/http:\/\/shop\.example\/thank-you\?id=\d+&/)
      expect(lines.at(-2)).toMatch(/^OD-42 after: PAID, transaction \d+, 231200021879 READY$/)
      expect(lines.at(-1)).toBe('as the story should end')
    },
  )

  it('fails when the order does not end so, after the last callback was taken', async () => {
    const { run, onCallback } = await setUp()
    onCallback(200, (id) => ({ ...paid(id), bookings: [buildDemoBag(null)] }))
    const { code, err } = await run('success', '42', '--wait', '0')
    expect([code, err]).toEqual([1, 'Not as the story should end: AM-1 has no airway bill'])
  })

  it('fails when the gateway refuses the callback', async () => {
    const { run, onCallback } = await setUp()
    onCallback(500, () => ({}))
    const { code, err } = await run('decline', '42', '--wait', '0')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Not as the story should end: the callback of \d+ is waiting: HTTP 500; the gateway does not know transaction \d+$/,
    )
  })

  it('expects a forged callback to be refused, and the order as it was', async () => {
    const { run, onCallback } = await setUp()
    onCallback(401, () => ({}))
    expect(await run('success', '42', '--callback', 'forge')).toMatchObject({ code: 0, err: '' })
    onCallback(200, paid)
    const taken = await run('success', '42', '--callback', 'forge', '--wait', '0')
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('took the forged callback') })
    expect(taken.err).toContain('OD-42 is PAID and not PENDING_PAYMENT')
  })

  it('decides several times: the first payment pays, and the others go back', async () => {
    const { run, caught, onCallback } = await setUp()
    const taken: string[] = []
    onCallback(200, (id) => {
      taken.push(id)
      const [first = '', ...others] = taken
      const events = taken.map((each) => buildDemoEvent(each))
      const refunds = others.map((each) => buildDemoRefund(each))
      return { ...paid(first), payments: [buildDemoPayment({ events, refunds })] }
    })
    const { code, out, err } = await run('success', '42', '--times', '3')
    expect([code, err]).toEqual([0, ''])
    expect(caught).toHaveLength(3)
    expect(out.match(/refund of \d+ \(second-payment\) done/g)).toHaveLength(2)
  })

  it('prints each change while it waits', async () => {
    const { run, onCallback } = await setUp()
    onCallback(200, paid)
    const { out } = await run('success', '42', '--watch')
    expect(out).toMatch(/\n {2}after \d+ ms: PAID, transaction \d+, 231200021879 READY\nOD-42 after: /)
  })

  it('prints one object as JSON, also when the story ends differently', async () => {
    const { run, onCallback } = await setUp()
    onCallback(200, paid)
    const { code, out } = await run('success', '42', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'success',
      callback: 'send',
      reference: '42-1',
      faults: [],
      before: { status: 'PENDING_PAYMENT' },
      after: { status: 'PAID' },
      expected: { status: 'PAID' },
      changes: [{ line: expect.stringContaining('PAID') }],
    })
    const refused = await run('refund', '42', '--callback', 'lose', '--json')
    expect(refused.code).toBe(0)
    const second = await run('success', '42', '--json', '--wait', '0')
    expect(second.code).toBe(1)
    expect(JSON.parse(second.out).faults).toContainEqual(
      expect.stringMatching(/^transaction \d+ is not refunded$/),
    )
  })

  it('passes on the callback mode and the delay, and finds both sides by address', async () => {
    const { env, caught } = await setUp()
    const { code, out, err } = await runScript(
      'replay-payment',
      ['decline', '42-1', '--callback', 'lose', '--delay', '1500'],
      {
        DEMO_CONTROL_KEY: key,
        GATEWAY_URL: `http://127.0.0.1:${env.PORT}/`,
        MOCK_PARTNER_URL: `http://127.0.0.1:${env.MOCK_PARTNER_PORT}/`,
      },
    )
    expect([code, err]).toEqual([0, ''])
    expect(caught).toEqual([])
    expect(out).toMatch(/callbacks \(lose\)\n {2}TRANSACTION \d+ lost/)
  })

  it('finds both sides by the ports of the environment, and prints its usage for wrong arguments', async () => {
    const { env, onCallback } = await setUp()
    onCallback(200, paid)
    expect(await runScript('replay-payment', ['success', 'OD-42'], env)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('as the story should end'),
    })
    const wrong = await runScript('replay-payment', ['success'], env)
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^name one outcome and one order\nusage: npm run replay/),
    })
  })

  it('finds the key of the stack that runs at the port, whatever the data folder of this environment', async () => {
    const { env, onCallback } = await setUp()
    onCallback(200, paid)
    const folder = freshFolder()
    await writeFile(join(folder, 'demo-control-key'), key)
    recordStack(env.PORT, folder)
    const ports = { PORT: env.PORT, MOCK_PARTNER_PORT: env.MOCK_PARTNER_PORT }
    expect(await runScript('replay-payment', ['success', 'OD-42'], ports)).toMatchObject({ code: 0, err: '' })
    const elsewhere = { ...ports, GATEWAY_URL: `http://127.0.0.1:${env.PORT}`, DATA_DIR: freshFolder() }
    const refused = await runScript('replay-payment', ['success', 'OD-42'], elsewhere)
    expect(refused.err).toMatch(/refuses this DEMO_CONTROL_KEY: set .*, or the DATA_DIR that holds it\.$/)
  })

  it('says that a left form sends no callback', async () => {
    const { run } = await setUp()
    const { code, out } = await run('cancel', '42')
    expect(code).toBe(0)
    expect(out).toContain('\nno callback\n')
  })

  it.each([
    ['an unknown order', ['success', '43'], /^The gateway at \S+ has no order 43\.$/],
    [
      'an unknown outcome',
      ['win', '42'],
      /^the outcome must be one of success, decline, cancel, refund, void$/,
    ],
    ['a refund of nothing', ['refund', '42'], /^refund of "42-1" is not possible: nothing-to-give-back$/],
    ['an unknown callback mode', ['success', '42', '--callback', 'never'], /^--callback must be one of/],
    ['no order', ['success'], /^name one outcome and one order$/],
    ['too many words', ['success', '42', '43'], /^name one outcome and one order$/],
    ['an unknown option', ['success', '42', '--loud'], /Unknown option '--loud'/],
    ['a delay that is none', ['success', '42', '--delay', 'soon'], /^--delay must be a whole number/],
    ['no times', ['success', '42', '--times', '0'], /^--times must be 1 to 20/],
    ['a refund several times', ['refund', '42', '--times', '2'], /^a payment can be returned once/],
  ])('refuses %s', async (_name, args, message) => {
    const { run, caught } = await setUp()
    const { code, err } = await run(...args)
    expect(code).toBe(1)
    expect(err).toMatch(message)
    expect(caught).toEqual([])
  })

  it('does nothing when the gateway works with another simulator', async () => {
    const { run, gateway, caught } = await setUp()
    gateway.order = buildDemoOrder({ payments: [buildDemoPayment({ reference: 'OD42-of-another-stack' })] })
    const { code, err } = await run('success', '42')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^The simulator at \S+ does not know payment OD42-of-another-stack: the gateway at \S+ works with another one\. .* Nothing was done\.$/,
    )
    expect(caught).toEqual([])
  })

  it('says that an order was never brought to the provider', async () => {
    const { run, gateway } = await setUp()
    gateway.order = buildDemoOrder({ payments: [] })
    expect((await run('success', '42')).err).toMatch(/^OD-42 was never brought to the payment provider/)
  })

  it('names a side that does not answer, and a gateway without testers’ calls or with another key', async () => {
    const partner = await setUp()
    const other = await partner.runWith('another-key-than-that', ['success', '42'])
    expect(other.err).toMatch(/refuses this DEMO_CONTROL_KEY/)
    partner.gateway.isDemo = false
    expect((await partner.run('success', '42')).err).toMatch(/answers no testers' calls/)
    partner.gateway.isDemo = true
    await partner.app.close()
    expect((await partner.run('success', '42')).err).toMatch(
      /^The simulator does not answer at http:\/\/127\.0\.0\.1:\d+\. Start it with npm start, or set MOCK_PARTNER/,
    )
    partner.closeGateway()
    expect((await partner.run('success', '42')).err).toMatch(/^The gateway does not answer at /)
  })
})
