import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { buildPartner, createIntention } from '#test/builders/mock-partner.builder.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'

const { userServiceSid } = demoAccounts.otp
const phone = '+966512345678'

it('restores codes, payments, pending callbacks and the time after a restart', async () => {
  const dataDir = freshFolder()
  const before = buildPartner({ dataDir })
  const intention = await createIntention(before)
  await createIntention(before, { special_reference: '43-1', extras: { order_number: 43 } })
  before.otp.send(userServiceSid, { to: phone, channel: 'sms', locale: 'en' })
  await before.payments.replay('42', { outcome: 'success', callback: 'late', delayMs: 600_000 })
  const shipment = before.shipping.createShipment(createRequest())
  before.clock.advance(60_000)
  await before.app.close()

  const after = buildPartner({ dataDir, newCode: () => '0000' })
  expect(after.clock.now()).toBe(before.clock.now())
  expect(after.payment.findAll('42')[0]).toEqual(before.payment.findAll('42')[0])
  expect(after.payment.list(10).map(({ reference }) => reference)).toEqual(['43-1', '42-1'])
  expect(after.otp.inbox()).toEqual(before.otp.inbox())
  expect(after.otp.check(userServiceSid, { to: phone }, '4821')).toMatchObject({
    kind: 'checked',
    verification: { status: 'approved' },
  })
  expect(after.shipping.findShipments(shipment.awb)).toHaveLength(1)
  expect(after.caught).toEqual([])
  after.clock.advance(540_000)
  await after.scheduler.wake()
  expect(after.caught).toMatchObject([{ body: { obj: { order: { id: intention.intention_order_id } } } }])

  const next = await createIntention(after, { special_reference: '44-1' })
  expect(next.intention_order_id).toBeGreaterThan(intention.intention_order_id + 1)
  expect(after.shipping.createShipment(createRequest()).awb).not.toBe(shipment.awb)
  await after.app.close()
})

it('starts empty when the file is of another version', async () => {
  const dataDir = freshFolder()
  writeFileSync(join(dataDir, 'mock-partner.json'), JSON.stringify({ version: 0, payment: {} }))
  const { payment, app } = buildPartner({ dataDir })
  expect(payment.list(10)).toEqual([])
  await app.close()
})

it('starts empty when the file is incomplete', async () => {
  const dataDir = freshFolder()
  const before = buildPartner({ dataDir })
  await createIntention(before)
  const { intentions, transactions } = before.payment.snapshot()
  await before.app.close()
  writeFileSync(
    join(dataDir, 'mock-partner.json'),
    JSON.stringify({
      version: 2,
      aheadMs: 5_000,
      otp: before.otp.snapshot(),
      payment: { intentions, transactions, intentionCount: 1 },
      deliveries: null,
    }),
  )
  const { payment, clock, app } = buildPartner({ dataDir })
  expect(payment.list(10)).toEqual([])
  expect(clock.aheadMs()).toBe(0)
  await app.close()
})

it('writes nothing without a data folder', async () => {
  const folder = freshFolder()
  const partner = buildPartner()
  await createIntention(partner)
  await partner.app.close()
  expect(readdirSync(folder)).toEqual([])
})

it('is not reached under a name that a page elsewhere has pointed at this machine', async () => {
  const { app } = buildPartner({ knownUrls: ['https://demo.example'] })
  const ask = (host: string, url = '/control/inbox') => app.inject({ url, headers: { host } })
  for (const url of ['/', '/control/inbox', '/otp/v2', '/nothing'])
    expect((await ask('rebind.attacker.example:4000', url)).statusCode, url).toBe(421)
  for (const host of ['localhost:4000', '127.0.0.1:4000', 'mock-partner:4000', 'demo.example'])
    expect((await ask(host)).statusCode, host).toBe(200)
})
