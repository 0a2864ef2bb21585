import { expect, it } from 'vitest'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import { schemaSteps } from '../migrate.ts'

it.each(engines)(
  'on %s counts one creation where a shipment may exist, and none otherwise',
  async (engine) => {
    const place = await freshDatabase(engine)
    const { kysely } = place.open()
    try {
      for (const [name, step] of Object.entries(schemaSteps)) if (name < '0005') await step.up(kysely, engine)
      await kysely
        .insertInto('users')
        .values({ id: 1, phone: '+966512345678', name: 'N', created_at: 0 })
        .execute()
      const order = { user_id: 1, type: 'FROM_MINA', status: 'PAID', amount_halalas: 5_000, currency: 'SAR' }
      await kysely
        .insertInto('orders')
        .values({ ...order, id: 1, agent_code: 'A01', center_code: '1', created_at: 0 })
        .execute()
      const booking = {
        order_id: 1,
        origin: '{}',
        destination: '{}',
        tries: 1,
        next_try_at: 0,
        lease_until: 0,
      }
      await kysely
        .insertInto('bookings')
        .values([
          { ...booking, leg: 0, reference: 'never-asked', state: 'waiting', in_doubt_until: 0 },
          { ...booking, leg: 1, reference: 'in-doubt', state: 'waiting', in_doubt_until: 5 },
          { ...booking, leg: 2, reference: 'issued', state: 'issued', in_doubt_until: 5 },
        ])
        .execute()

      await schemaSteps['0005-shipment-creations']?.up(kysely, engine)
      const rows = await kysely.selectFrom('bookings').selectAll().orderBy('leg').execute()
      expect(rows.map(({ reference, creations }) => [reference, creations])).toEqual([
        ['never-asked', 0],
        ['in-doubt', 1],
        ['issued', 0],
      ])
      expect(rows[1]).toMatchObject({ creations_allowed: 2, stopped_at: null, reason: null, receiver: null })
    } finally {
      await kysely.destroy()
      await place.remove()
    }
  },
)
