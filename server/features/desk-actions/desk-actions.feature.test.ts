import { expect, it, onTestFinished } from 'vitest'
import { createCore } from '#server/core.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { hour, manualClock, noon } from '#test/kit/clock.ts'
import { deskActionsNeeds } from '#test/kit/desk-actions.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { quietConfig } from '#test/kit/quiet-gateway.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { registerDeskActions } from './desk-actions.feature.ts'

const sara: Staff = {
  role: 'staff',
  issuer: 'https://id.example',
  subject: 's-1',
  name: 'Sara',
  roles: ['support'],
  authenticatedAt: noon,
}

async function openDesk(env: Readonly<Record<string, string>>) {
  const clock = manualClock()
  const database = await openMemory(clock)
  onTestFinished(() => database.close())
  const config = await quietConfig(env)
  const desk = registerDeskActions(
    createCore({ config, database, clock, log: silentLog, metrics: createMetrics() }),
    deskActionsNeeds(database, clock),
  )
  return { clock, database, desk }
}

it('a bag that is silent for longer than the hours that are set can be checked, and no other', async () => {
  const { clock, database, desk } = await openDesk({ TRACKING_SILENCE_HOURS: '3' })
  const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'Maryam', noon)
  const store = createOrdersStore(database)
  const orderId = await store.addOrder(newOrder(userId), [newLeg('AM-1')])
  const [bag] = await store.findBookings([orderId])
  await database.tables
    .insertInto('tracked_bookings')
    .values({
      booking_id: bag?.id ?? 0,
      awb: '77001',
      due_at: noon,
      tracked_until: noon,
      silent_polls: 0,
      heard_at: noon,
    })
    .execute()
  const check = () => desk.checked(sara, orderId, { key: crypto.randomUUID(), body: null }, 'it was called')
  clock.advance(3 * hour)
  await expect(check()).rejects.toMatchObject({ code: 'ACTION_NOT_POSSIBLE' })
  clock.advance(1)
  await check()
  const checked = await database.tables.selectFrom('tracked_bookings').select('checked_at').execute()
  expect(checked).toEqual([{ checked_at: noon + 3 * hour + 1 }])
})
