import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildPartner, createIntention } from '#mock/app.builder.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { noon } from '#test/kit/clock.ts'
import { runScript } from '#test/kit/tools.ts'

const run = (env: Record<string, string>, ...args: string[]) => runScript('replay-payment', args, env)

async function setUp() {
  const partner = buildPartner()
  await partner.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => partner.app.close())
  await createIntention(partner)
  const { port } = partner.app.server.address() as AddressInfo
  // No gateway runs beside this simulator.
  const env = { MOCK_PARTNER_PORT: String(port), DATA_DIR: '/nonexistent' }
  return { ...partner, env, url: `http://127.0.0.1:${port}` }
}

describe('npm run replay', () => {
  it('pays an order, and prints the callback, the redirect and the order', async () => {
    const { env, caught } = await setUp()
    const { code, out, err } = await run(env, 'success', '42')
    expect([code, err]).toEqual([0, ''])
    expect(caught).toHaveLength(1)
    expect(out).toMatch(/^success for 42\nCallbacks:\n {2}TRANSACTION \d+ \(send\) delivered: HTTP 200\n/)
    expect(out).toMatch(/http:\/\/shop\.example\/thank-you\?id=\d+&/)
    expect(out).toMatch(
      /42-1: paid, SAR 50\.00\n {4}payment \d+: success \(Approved\), SAR 50\.00\nThe order was not read: /,
    )
  })

  it('passes on the callback mode and the delay, and finds the simulator by its URL', async () => {
    const { url, caught } = await setUp()
    const { code, out } = await run(
      { MOCK_PARTNER_URL: `${url}/`, DATA_DIR: '/nonexistent' },
      'decline',
      '42-1',
      '--callback',
      'late',
      '--delay',
      '1500',
    )
    expect(code).toBe(0)
    expect(caught).toEqual([])
    expect(out).toMatch(/\(late\) waiting, next attempt 2026-05-27T09:30:01\.500Z/)
    expect(out).toMatch(/42-1: open/)
  })

  it('prints that no callback is sent', async () => {
    const { env } = await setUp()
    const { out } = await run(env, 'cancel', '42')
    expect(out).toContain('No callback was sent.')
  })

  it.each([
    ['an unknown order', ['success', '43'], /^there is no payment for "43"$/],
    ['an unknown outcome', ['win', '42'], /^outcome must be one of success, decline, cancel, refund, void$/],
    ['a refund of nothing', ['refund', '42'], /^refund of "42" is not possible: nothing-to-give-back$/],
    ['an unknown callback mode', ['success', '42', '--callback', 'never'], /^callback must be one of/],
    ['no order', ['success'], /^name one outcome and one order\nusage: npm run replay/],
    ['too many words', ['success', '42', '43'], /^name one outcome and one order\nusage: npm run replay/],
    ['an unknown option', ['success', '42', '--loud'], /usage: npm run replay/],
    ['a delay that is none', ['success', '42', '--delay', 'soon'], /^--delay must be milliseconds/],
  ])('fails with one line for %s', async (_name, args, message) => {
    const { env } = await setUp()
    const { code, out, err } = await run(env, ...args)
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })

  it('fails with one line when the simulator is not running', async () => {
    const partner = await setUp()
    await partner.app.close()
    const { code, err } = await run(partner.env, 'success', '42')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^The mock partner does not answer at http:\/\/127\.0\.0\.1:\d+\. Start it with npm start/,
    )
  })
})

/** A simulator and the database of its gateway, with an order whose payment has the given reference. */
async function setUpOrder(reference: string) {
  const partner = await setUp()
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-replay-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const database = await openDatabase({ url: undefined, dataDir, onIdleError: () => undefined })
  onTestFinished(() => database.close())
  const orders = createOrdersStore(database)
  const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)
  const order = {
    userId,
    type: 'FROM_MINA',
    amountHalalas: 5_000,
    currency: 'SAR',
    agentCode: 'A01',
    centerCode: '1',
    createdAt: noon,
  } as const
  const orderId = await orders.addOrder(order, [
    { leg: 0, reference: 'AM-1', origin: '{}', destination: '{}' },
  ])
  const attempt = {
    order_id: orderId,
    reference,
    amount_halalas: 5_000,
    currency: 'SAR',
    created_at: noon,
  }
  await createPaymentsStore(database).startAttempt(attempt)
  return { ...partner, orders, orderId, env: { ...partner.env, DATA_DIR: dataDir } }
}

describe('npm run replay beside the database of a gateway', () => {
  it('accepts the order number of the screens, and prints the status of the order', async () => {
    const { env, orders, orderId, answerCallbacksWith } = await setUpOrder('42-1')
    answerCallbacksWith(async () => {
      await orders.markPaid(orderId, 'T1', noon)
      const booking = await orders.leaseBooking('lease', noon, noon + 1)
      await orders.setAwb(booking?.id ?? 0, 'lease', '231200021879')
      return 200
    })
    const { code, out, err } = await run(env, 'success', 'OD-42')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^database: SQLite .*, 1 order, 1 user\nsuccess for OD-42\n/)
    expect(out).toContain(
      `What became of the order:\n  OD-${orderId}: PAID, transaction T1, airway bill 231200021879`,
    )
  })

  it('refuses when the simulator belongs to another database', async () => {
    const { env, caught, orders, orderId } = await setUpOrder('OD42-of-another-stack')
    const { code, err } = await run(env, 'success', '42')
    expect(code).toBe(1)
    expect(err).toMatch(/^The simulator at \S+ works for another database: this one knows no payment 42-1\. /)
    expect(caught).toEqual([])
    expect((await orders.findOrder(orderId))?.status).toBe('PENDING_PAYMENT')
    expect(await run(env, 'success', '42', '--provider-only')).toMatchObject({ code: 0, err: '' })
    expect(caught).toHaveLength(1)
  })

  it('fails when the order has not the expected status', async () => {
    const { env, orderId } = await setUpOrder('42-1')
    const { code, err } = await run(env, 'success', '42', '--wait', '0')
    expect([code, err]).toEqual([1, `Not as asked: OD-${orderId} is PENDING_PAYMENT and not PAID`])
  })

  it('fails when the gateway does not accept the callback', async () => {
    const { env, answerCallbacksWith } = await setUpOrder('42-1')
    answerCallbacksWith(() => 500)
    const { code, err } = await run(env, 'decline', '42')
    expect(code).toBe(1)
    expect(err).toMatch(/^Not as asked: the callback of \d+ is waiting: HTTP 500$/)
  })

  it('expects a forged callback to be refused', async () => {
    const { env, answerCallbacksWith } = await setUpOrder('42-1')
    const taken = await run(env, 'success', '42', '--callback', 'forge')
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('took the forged callback') })
    answerCallbacksWith(() => 401)
    expect(await run(env, 'success', '42', '--callback', 'forge')).toMatchObject({ code: 0, err: '' })
  })
})
