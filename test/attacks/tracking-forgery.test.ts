import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveScans } from '#shared/tracking/tracking.operations.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { problemOf } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import type { Stack } from '#test/kit/stack.ts'

/** Only the courier's key moves a bag, only its own scans count, and only once each. */

const { webhookKey } = demoAccounts.shipping

let stack: Stack
let rows: Rows
let pilgrim: Pilgrim
let orderId: number
let awb: string

beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
  pilgrim = await signedUpPilgrim(stack, { name: 'Zubaydah Nasser' })
  orderId = await paidOrder(stack, pilgrim)
  awb = await issuedAwb(pilgrim.person, orderId)
  await stack.control.advance(awb, { to: 'picked-up' })
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const scan = (change: object = {}) => ({
  ScanType: 'DL',
  City: 'Riyadh',
  ScanDateTime: '2026-01-10T11:00:00',
  ScanTimeZone: '+03:00',
  ...change,
})

const push = (
  body: unknown,
  headers: Readonly<Record<string, string>> = { [webhookKeyHeader]: webhookKey },
) =>
  fetch(`${stack.gatewayUrl}${receiveScans.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const counted = async (outcome: string) =>
  (await metricsOf([stack.gatewayUrl])).get(`amtiati_tracking_pushes_total{outcome="${outcome}"}`) ?? 0

/** Sends something that must change no row; returns the status, and counts it once under its outcome. */
async function changesNothing(outcome: string, send: () => Promise<Response>) {
  const before = { rows: await rows.snapshot(), count: await counted(outcome) }
  const response = await send()
  const json = await response.json()
  expect(await rows.snapshot()).toEqual(before.rows)
  expect(await counted(outcome)).toBe(before.count + 1)
  return { status: response.status, json }
}

describe('a forged push', () => {
  it.each<[string, Record<string, string>]>([
    ['without a key', {}],
    ['with an empty key', { [webhookKeyHeader]: '' }],
    ['with another key', { [webhookKeyHeader]: 'demo-shipping-webhook-kez' }],
    ['with a key that begins like ours', { [webhookKeyHeader]: webhookKey.slice(0, -1) }],
    ['with our key in capitals', { [webhookKeyHeader]: webhookKey.toUpperCase() }],
    ['with our key twice', { [webhookKeyHeader]: `${webhookKey}, ${webhookKey}` }],
    ['with our key in another header', { authorization: `Bearer ${webhookKey}`, apikey: webhookKey }],
  ])('is refused %s', async (_, headers) => {
    const { status, json } = await changesNothing('refused', () =>
      push([{ AWB: awb, Scans: [scan()] }], headers),
    )
    expect([status, problemOf(status, json).code]).toEqual([401, 'TRACKING_CALLBACK_REFUSED'])
  })

  it('is refused with the key in the address or the body', async () => {
    const { status } = await changesNothing('refused', () =>
      fetch(`${stack.gatewayUrl}${receiveScans.path}?${webhookKeyHeader}=${webhookKey}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ AWB: awb, Scans: [scan()], [webhookKeyHeader]: webhookKey }),
      }),
    )
    expect(status).toBe(401)
  })

  it('is refused before its body is read', async () => {
    const { status } = await changesNothing('refused', () => push('x'.repeat(200_000), {}))
    expect(status).toBe(401)
  })
})

describe('a push with the key', () => {
  it('cannot fill a bag with scans without end', async () => {
    const flood = Array.from({ length: 900 }, (_, index) => ({
      ScanType: `Z${index}`,
      ScanDateTime: '2026-01-10T11:00:00',
    }))
    for (let from = 0; from < flood.length; from += 300)
      expect((await push([{ AWB: awb, Scans: flood.slice(from, from + 300) }])).status).toBe(200)
    const [stored] = await rows.ask<{ count: number }>`select count(*) as count from booking_events`
    expect(Number(stored?.count)).toBeLessThanOrEqual(310)
  })
})

it('a scan moves no money, even when it contradicts', async () => {
  const other = await paidOrder(stack, pilgrim)
  const number = await issuedAwb(pilgrim.person, other)
  const money = async () => [
    await rows.ask`select * from refunds`,
    await rows.ask`select id, status, transaction_id, paid_at from orders`,
    await rows.ask`select id, state from payment_attempts order by id`,
  ]
  const before = await money()
  for (const code of ['DL', 'CAN', 'RTS', 'DMG', 'MISS'])
    await push([{ AWB: number, Scans: [scan({ ScanType: code })] }])
  expect(await money()).toEqual(before)
  const alerts = await rows.ask<{ kind: string }>`select kind from scan_alerts order by id`
  expect(alerts.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['contradiction', 'cancelled', 'returning', 'damaged', 'missing']),
  )
})
