import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '#test/kit/database/databases.ts'
import { explain, fillForPlans } from '#test/kit/database/plans.ts'
import type { EngineParts } from './database.ts'
import { migrate } from './migrate.ts'

describe('the plans of PostgreSQL', () => {
  let parts: EngineParts
  let remove: () => Promise<void>
  beforeEach(async () => {
    const place = await freshDatabase('postgres')
    remove = place.remove
    parts = place.open()
    await migrate(parts)
    await fillForPlans(parts)
  })
  afterEach(async () => {
    await parts.kysely.destroy()
    await remove()
  })

  const faultsOf = (text: string, ...parameters: unknown[]) =>
    explain(parts, CompiledQuery.raw(text, parameters))

  it('report what reads every row of a growing table, and accept the rest', async () => {
    const scans = [
      'SELECT count(*) FROM orders',
      'SELECT user_id, id FROM orders ORDER BY user_id, id',
      "SELECT id FROM orders WHERE payment = 'paid'",
      "UPDATE orders SET currency = 'SAR'",
      'SELECT u.id FROM users u JOIN agents a ON a.phone = u.phone JOIN orders o ON o.type = a.name',
      "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT 1 FROM orders WHERE currency = 'SAR')",
    ]
    for (const text of scans) expect(await faultsOf(text), text).not.toEqual([])
    const searches = [
      'SELECT * FROM orders WHERE user_id = 1',
      'SELECT * FROM orders WHERE id < 100 ORDER BY id DESC LIMIT 10',
      'SELECT * FROM partner_lists',
      'SELECT id FROM bookings WHERE stopped_at IS NOT NULL',
    ]
    for (const text of searches) expect(await faultsOf(text), text).toEqual([])
  })
})
