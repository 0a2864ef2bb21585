import { expect, it } from 'vitest'
import { atOnce } from '#test/kit/at-once.ts'
import { manualClock, contractNoon as noon } from '#test/kit/clock.ts'
import { forEachEngine } from '#test/kit/databases.ts'
import { createAudit } from './audit.service.ts'
import { createAuditStore } from './audit.store.ts'

forEachEngine((_engine, open) => {
  it('lets no more looks of a person through than are allowed, however many come at once', async () => {
    const database = await open()
    const audit = createAudit({ database, store: createAuditStore(database), clock: manualClock(noon) })
    const by = { issuer: 'https://id.example', subject: 's-1', name: 'Sara', roles: ['lead'] } as const
    const limits = [{ count: 5, windowMs: 60_000 }]
    const look = () => audit.recordWithin({ by, action: 'reveal', orderId: 1 }, limits)
    for (let done = 0; done < 4; done += 1) expect(await look()).toBeUndefined()
    const waits = await atOnce(8, look)
    expect(waits.filter((wait) => wait === undefined).length).toBeLessThanOrEqual(1)
    const rows = await database.tables.selectFrom('operator_actions').select('action').execute()
    const passed = rows.filter(({ action }) => action === 'reveal')
    expect(passed.length).toBe(4 + waits.filter((wait) => wait === undefined).length)
    expect(rows).toHaveLength(12)
  })
})
