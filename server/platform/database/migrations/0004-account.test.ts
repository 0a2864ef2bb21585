import { expect, it } from 'vitest'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import { schemaSteps } from '../migrate.ts'

const noon = 1_800_000_000_000
const body = {
  id: 9_000_001,
  amount_cents: 5_000,
  order: { id: 7_000_001, shipping_data: { first_name: 'Maryam', phone_number: '+966550000001' } },
  data: { card_num: '512345xxxxxx0008', message: 'Approved' },
  payment_key_claims: {
    billing_data: { email: 'maryam@example.com' },
    items: [{ email: 'a@example.com', n: 1 }],
  },
}
const session = (token_hash: string) => ({
  token_hash,
  role: 'user',
  subject_id: 1,
  created_at: noon,
  last_seen_at: noon,
  idle_until: noon,
  ends_at: noon,
})

it.each(engines)(
  'on %s gives ids to existing sessions and removes personal data from existing payments',
  async (engine) => {
    const place = await freshDatabase(engine)
    const parts = place.open()
    try {
      for (const [name, step] of Object.entries(schemaSteps))
        if (name < '0004') await step.up(parts.kysely, engine)
      await parts.kysely
        .insertInto('sessions')
        .values([session('one'), session('two')])
        .execute()
      for (let count = 0; count < 201; count += 1)
        await parts.kysely
          .insertInto('payment_events')
          .values({
            transaction_id: String(count),
            kind: 'succeeded',
            source: 'callback',
            outcome: 'applied',
            amount_halalas: 5_000,
            currency: 'SAR',
            body: JSON.stringify(body),
            received_at: noon,
          })
          .execute()

      await schemaSteps['0004-account']?.up(parts.kysely, engine)
      const sessions = await parts.kysely.selectFrom('sessions').select(['id', 'device']).execute()
      expect(new Set(sessions.map(({ id }) => id)).size).toBe(2)
      expect(sessions).toEqual(
        sessions.map(() => ({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), device: '' })),
      )
      const events = await parts.kysely.selectFrom('payment_events').select('body').execute()
      expect(events).toHaveLength(201)
      expect(new Set(events.map((event) => event.body)).size).toBe(1)
      expect(JSON.parse(events[0]?.body)).toEqual({
        id: 9_000_001,
        amount_cents: 5_000,
        order: { id: 7_000_001 },
        data: { message: 'Approved' },
        payment_key_claims: { items: [{ n: 1 }] },
      })
    } finally {
      await parts.kysely.destroy()
      await place.remove()
    }
  },
)
