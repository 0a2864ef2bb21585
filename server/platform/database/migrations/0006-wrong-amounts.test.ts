import { expect, it } from 'vitest'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import { schemaSteps } from '../migrate.ts'

const noon = 1_800_000_000_000

it.each(engines)('on %s schedules refunds of wrong amounts recorded earlier', async (engine) => {
  const place = await freshDatabase(engine)
  const parts = place.open()
  try {
    for (const [name, step] of Object.entries(schemaSteps))
      if (name < '0006') await step.up(parts.kysely, engine)
    const insert = (table: string, values: object) => parts.kysely.insertInto(table).values(values).execute()
    await insert('users', { id: 1, phone: '+966550000001', name: 'Maryam', created_at: noon })
    await insert('orders', {
      id: 1,
      user_id: 1,
      type: 'FROM_MINA',
      status: 'PENDING_PAYMENT',
      amount_halalas: 5_000,
      currency: 'SAR',
      agent_code: 'A1',
      center_code: '1',
      created_at: noon,
    })
    await insert('payment_attempts', {
      id: 1,
      order_id: 1,
      reference: 'OD1-1',
      amount_halalas: 5_000,
      currency: 'SAR',
      state: 'open',
      created_at: noon,
      secret_until: noon,
      inquired_at: 0,
    })
    const event = (transaction_id: string, change: object) =>
      insert('payment_events', {
        transaction_id,
        kind: 'succeeded',
        attempt_id: 1,
        source: 'callback',
        outcome: 'amount-mismatch',
        amount_halalas: 4_900,
        currency: 'EGP',
        body: '{}',
        received_at: noon,
        ...change,
      })
    await event('wrong', {})
    await event('paid', { outcome: 'applied' })
    await event('foreign', { attempt_id: null, outcome: 'unknown-order' })

    await schemaSteps['0006-wrong-amounts']?.up(parts.kysely, engine)
    expect(await parts.kysely.selectFrom('refunds').selectAll().execute()).toMatchObject([
      {
        transaction_id: 'wrong',
        amount_halalas: 4_900,
        currency: 'EGP',
        reason: 'wrong-amount',
        state: 'due',
        created_at: noon,
      },
    ])
  } finally {
    await parts.kysely.destroy()
    await place.remove()
  }
})
