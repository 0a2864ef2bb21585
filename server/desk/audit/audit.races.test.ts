import { expect, it } from 'vitest'
import { listActs } from '#server/features/history/acts.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { manualClock, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { recordViewWithin } from './views.ts'

forEachEngine((_engine, open) => {
  it('lets exactly as many looks of a person through as are allowed, however many come at once', async () => {
    const database = await open()
    const core = await openCore({ database, clock: manualClock(noon) })
    const by = { issuer: 'https://id.example', subject: 's-1', name: 'Sara', roles: ['lead'] } as const
    const limits = [{ count: 5, windowMs: 60_000 }]
    const view = { by, kind: 'disclosed', orderId: 1, reason: 'name' } as const
    const look = () => recordViewWithin(core, view, limits)
    for (let done = 0; done < 3; done += 1) expect(await look()).toBeUndefined()
    const waits = await atOnce(8, look)
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(2)
    const acts = await listActs(core, { orderId: 1, limit: 20 })
    expect(acts.filter(({ kind }) => kind === 'disclosed')).toHaveLength(5)
    const refused = acts.filter(({ kind }) => kind === 'view-refused')
    expect(refused).toHaveLength(6)
    expect(refused[0]?.data).toEqual({ view: 'disclosed', about: null, personal: { reason: 'name' } })
  })
})
