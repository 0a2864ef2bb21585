import { describe, expect, it, onTestFinished } from 'vitest'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createDatabase, type Engine } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import {
  countDue,
  fillSeason,
  listAgentRows,
  listPaidOrders,
  openSessions,
  ordersOfFrequent,
  prepareExpiry,
} from './fill.store.ts'

const coordinates = { latitude: 21.4, longitude: 39.9 }
const agents = ['A1', 'A2', 'A3'].map((id, index) => ({
  id,
  name: `Agent ${id}`,
  address: 'Mina',
  city: 'Makkah',
  phone: `+96650000010${index}`,
  coordinates,
}))
const centers = ['RUH1', 'JED1'].map((code) => ({
  code,
  addressAR: 'الشارع',
  addressEN: "King's Road",
  city: 'Riyadh',
  coordinates,
}))
const now = Date.UTC(2027, 4, 18)
const season = { orders: 600, agents, centers, now }

async function filled(engine: Engine) {
  const testDatabase = await freshDatabase(engine)
  const parts = testDatabase.open()
  onTestFinished(async () => {
    await parts.kysely.destroy()
    await testDatabase.remove()
  })
  await migrate(parts)
  const result = await fillSeason(parts, season)
  const database = createDatabase(parts)
  const count = async (table: string) =>
    Number(
      (
        await parts.kysely
          .selectFrom(table)
          .select((each) => each.fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    )
  return { parts, database, result, count }
}

describe.each(engines)('a filled season on %s', (engine) => {
  it('has every kind of row, the same in every run', async () => {
    const { parts, result, count } = await filled(engine)
    expect(result).toMatchObject({ orders: 600, users: 312 })
    expect(result.frequentUsers).toHaveLength(12)
    expect(await count('users')).toBe(312)
    expect(await count('bookings')).toBe(600)
    expect(await count('idempotency_keys')).toBe(600)
    const statuses = await parts.kysely
      .selectFrom('orders')
      .select(['status', (each) => each.fn.countAll().as('orders')])
      .groupBy('status')
      .execute()
    const of = (status: string) => Number(statuses.find((each) => each.status === status)?.orders ?? 0)
    expect(of('PAID')).toBeGreaterThan(400)
    expect(of('EXPIRED')).toBeGreaterThan(60)
    expect(of('REFUNDED')).toBeGreaterThan(5)
    const settled = of('PAID') + of('REFUNDED')
    expect(await count('labels')).toBe(settled)
    expect(await count('refunds')).toBe(of('REFUNDED'))
    expect(await count('payment_attempts')).toBeGreaterThan(640)
    expect(await count('payment_events')).toBe(
      settled + of('REFUNDED') + (await count('payment_attempts')) - 600,
    )
    const again = await filled(engine)
    const rows = (kysely: typeof parts.kysely) =>
      kysely.selectFrom('orders').selectAll().orderBy('id').execute()
    expect(await rows(again.parts.kysely)).toEqual(await rows(parts.kysely))
  })

  it('is readable by the gateway', async () => {
    const { parts, database, result } = await filled(engine)
    const orders = createOrdersStore(database)
    const [frequent = 0] = result.frequentUsers
    const own = await orders.listOfUser(frequent, { limit: 100 })
    expect(own).toHaveLength(ordersOfFrequent)
    const [booking] = await orders.findBookings([own.find(({ status }) => status === 'PAID')?.id ?? 0])
    expect(JSON.parse(booking?.origin ?? '')).toMatchObject({ city: 'Makkah', coordinates })
    expect(JSON.parse(booking?.destination ?? '')).toMatchObject({ addressEN: "King's Road" })
    expect(await orders.findLabel(booking?.id ?? 0)).toHaveLength(512)

    const payments = createPaymentsStore(database)
    expect(await payments.hasUnsettled(own.map(({ id }) => id))).toBe(false)
    expect(await payments.claimDueInquiry(now, now + 1)).toBeUndefined()

    const [token = ''] = await openSessions(parts, 'user', [frequent], now)
    const sessions = createSessionsStore(database)
    expect(await sessions.findSession(hashOf(token), now + 1)).toMatchObject({
      role: 'user',
      subject_id: frequent,
    })
  })

  it('continues with unused ids', async () => {
    const { database } = await filled(engine)
    const id = await createOrdersStore(database).addOrder(
      {
        userId: 1,
        type: 'FROM_MINA',
        amountHalalas: 5_000,
        currency: 'SAR',
        agentCode: 'A1',
        centerCode: 'RUH1',
        createdAt: now,
      },
      [{ leg: 0, reference: 'AM-NEW', origin: '{}', destination: '{}' }],
    )
    expect(id).toBe(601)
    const attempt = await createPaymentsStore(database).startAttempt({
      order_id: id,
      reference: 'NEW',
      amount_halalas: 5_000,
      currency: 'SAR',
      created_at: now,
    })
    expect(attempt?.id).toBeGreaterThan(1_200)
  })

  it('lists users, agents and orders for requests', async () => {
    const { parts } = await filled(engine)
    const rows = await listAgentRows(parts)
    expect(rows.map(({ code }) => code).sort()).toEqual(['A1', 'A2', 'A3'])
    expect(rows.reduce((sum, { orders }) => sum + orders, 0)).toBe(600)
    expect(rows[0]?.orders).toBeGreaterThanOrEqual(rows[1]?.orders ?? 0)
    const paid = await listPaidOrders(parts, 300, 20)
    expect(paid).toHaveLength(20)
    expect(new Set(paid.map(({ userId }) => userId)).size).toBe(20)
    expect(paid.every(({ id, awb }) => id > 300 && /^9\d{11}$/.test(awb))).toBe(true)
  })

  it('has orders to expire, and tells when they have expired', async () => {
    const { parts, database } = await filled(engine)
    const due = await prepareExpiry(parts, { attempts: 10, orders: 20 }, now, 11)
    expect(due.attempts).toHaveLength(10)
    expect(due.orders).toHaveLength(20)
    expect(await countDue(parts, due)).toBe(30)
    const orders = createOrdersStore(database)
    const eightDays = 8 * 86_400_000
    expect(await orders.expireCreatedBefore(now - eightDays, 100)).toBe(20)
    expect(await countDue(parts, due)).toBe(10)
    expect((await createPaymentsStore(database).claimDueInquiry(now, now + 1))?.inquiry_step).toBe(11)
  })
})

it('fills enough orders for a user with many', async () => {
  const testDatabase = await freshDatabase('sqlite')
  const parts = testDatabase.open()
  onTestFinished(async () => {
    await parts.kysely.destroy()
    await testDatabase.remove()
  })
  await expect(fillSeason(parts, { ...season, orders: 49 })).rejects.toThrow('at least 50')
})
