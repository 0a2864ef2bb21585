import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { apiKeyHeader, type B2cShipment, shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { spawnNode } from '#test/kit/programs/spawn.ts'

const entry = fileURLToPath(new URL('./main.ts', import.meta.url))

/** The simulator as a process of its own, on a free port and a folder of its own. */
function start(env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'mock-partner-'))
  const child = spawnNode(entry, {
    env: { PATH: process.env.PATH, MOCK_PARTNER_PORT: '0', DATA_DIR: dataDir, ...env },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true })
  })
  const lines = { out: [] as string[], err: [] as string[] }
  const firstLine = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.out.push(line)
      resolve(line)
    })
  })
  createInterface({ input: child.stderr }).on('line', (line) => lines.err.push(line))
  const ended = once(child, 'close').then(([code]) => code)
  return { child, dataDir, lines, firstLine, ended }
}

const addressIn = (line: string): string => {
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
  if (address === undefined) throw new Error(`no address in "${line}"`)
  return address
}

describe('the simulator as a process', () => {
  it.each(isFull ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    'prints its real address, stores its state, and closes on %s',
    async (signal) => {
      const { child, dataDir, firstLine, ended } = start()
      const address = addressIn(await firstLine)
      expect((await fetch(`${address}/control/counters`)).status).toBe(200)
      await fetch(`${address}/control/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"advanceMs":1000}',
      })
      child.kill(signal)
      expect(await ended).toBe(0)
      expect(readdirSync(dataDir)).toEqual(['mock-partner.json'])
    },
  )

  it('takes its keys from the environment', async () => {
    const { firstLine } = start({ PAYMENT_API_KEY: 'another-key' })
    const address = addressIn(await firstLine)
    const ask = (key: string) =>
      fetch(`${address}/payment/api/auth/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: key }),
      })
    expect((await ask('another-key')).status).toBe(201)
    expect((await ask('demo-payment-api-key')).status).toBe(401)
  })

  it('answers every shipment with the same label under MOCK_LABELS=fixed', async () => {
    const { firstLine } = start({ MOCK_LABELS: 'fixed' })
    const address = addressIn(await firstLine)
    const create = async () => {
      const answer = await fetch(`${address}/shipping${shippingPaths.createB2c}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [apiKeyHeader]: demoAccounts.shipping.apiKey },
        body: JSON.stringify(createRequest()),
      })
      const { waybills } = (await answer.json()) as B2cShipment
      return waybills[0]
    }
    const [one, other] = [await create(), await create()]
    expect(one?.awb).not.toBe(other?.awb)
    expect(one?.awbFile).toMatch(/^JVBERi/)
    expect(other?.awbFile).toBe(one?.awbFile)
  })

  const refusals: readonly [Record<string, string>, RegExp][] = [
    [{ MODE: 'live' }, /refuses to start with MODE=live/],
    [{ MOCK_PARTNER_PORT: 'http' }, /MOCK_PARTNER_PORT must be a whole number from 0 to 65535, not "http"/],
    [{ MOCK_PARTNER_PORT: '65536' }, /MOCK_PARTNER_PORT must be/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [{ MOCK_LABELS: 'printed' }, /MOCK_LABELS must be drawn or fixed, not "printed"/],
    [{ PAYMENT_INTEGRATION_ID: 'card' }, /PAYMENT_INTEGRATION_ID must be a whole number/],
  ]
  it.each(isFull ? refusals : refusals.slice(0, 2))(
    'refuses to start with %j and says why',
    async (env, reason) => {
      const { ended, lines } = start(env)
      expect(await ended).toBe(1)
      expect(lines.err.join('\n')).toMatch(reason)
      expect(lines.out).toEqual([])
    },
  )

  it('reports that its port is taken', async () => {
    const first = start()
    const address = addressIn(await first.firstLine)
    const { ended, lines } = start({ MOCK_PARTNER_PORT: new URL(address).port })
    expect(await ended).toBe(1)
    expect(lines.err.join('\n')).toMatch(/cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/)
  })
})
