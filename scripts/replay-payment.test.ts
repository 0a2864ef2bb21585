import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildPartner, createIntention } from '#mock/app.builder.ts'

const script = fileURLToPath(new URL('./replay-payment.ts', import.meta.url))

function run(env: Record<string, string>, ...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

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
  it('pays an order, and tells of the callback, the redirect and the order', async () => {
    const { env, caught } = await setUp()
    const { code, out, err } = await run(env, 'success', '42')
    expect([code, err]).toEqual([0, ''])
    expect(caught).toHaveLength(1)
    expect(out).toMatch(/^success for 42\nCallbacks:\n {2}TRANSACTION \d+ \(send\) delivered: HTTP 200\n/)
    expect(out).toMatch(/http:\/\/shop\.example\/thank-you\?id=\d+&/)
    expect(out).toMatch(/42-1: paid, SAR 50\.00\n {4}payment \d+: success \(Approved\), SAR 50\.00\n$/)
  })

  it('hands the callback mode and the delay on, and finds the simulator by its URL', async () => {
    const { url, caught } = await setUp()
    const { code, out } = await run(
      { MOCK_PARTNER_URL: `${url}/` },
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

  it('says when no callback goes out', async () => {
    const { env } = await setUp()
    const { out } = await run(env, 'cancel', '42')
    expect(out).toContain('No callback was sent.')
  })

  it.each([
    ['an unknown order', ['success', '43'], /^there is no payment for "43"\n$/],
    [
      'an unknown outcome',
      ['win', '42'],
      /^outcome must be one of success, decline, cancel, refund, void\n$/,
    ],
    ['a refund of nothing', ['refund', '42'], /^refund of "42" is not possible: nothing-to-give-back\n$/],
    ['an unknown callback mode', ['success', '42', '--callback', 'never'], /^callback must be one of/],
    ['no order', ['success'], /^usage: npm run replay/],
    ['too many words', ['success', '42', '43'], /^usage: npm run replay/],
    ['an unknown option', ['success', '42', '--loud'], /usage: npm run replay/],
    ['a delay that is none', ['success', '42', '--delay', 'soon'], /^--delay must be milliseconds/],
  ])('fails with a clear line for %s', async (_name, args, message) => {
    const { env } = await setUp()
    const { code, out, err } = await run(env, ...args)
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })

  it('fails with a clear line when the simulator is not running', async () => {
    const partner = await setUp()
    await partner.app.close()
    const { code, err } = await run(partner.env, 'success', '42')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^The mock partner does not answer at http:\/\/127\.0\.0\.1:\d+\. Start it with npm start/,
    )
  })
})
