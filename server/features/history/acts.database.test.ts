import { expect, it } from 'vitest'
import { contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { type Act, changedBetween, countActs, findLastAct, recordAct, staffActor } from './acts.ts'
import { listEvents, recordEvent } from './history.ts'

const sara = staffActor({ issuer: 'https://id', subject: 's-1', name: 'Sara', roles: ['support', 'lead'] })
const asked = { by: sara, kind: 'message-asked', orderId: 1, userId: 7 } as const

forEachEngine((_engine, open) => {
  async function begin() {
    const database = await open()
    const core = { database }
    const record = (act: Act) => database.transaction(() => recordAct(core, act))
    return { database, core, record }
  }

  it('an act of staff or of an operator is an event: who did what, why, and what was before and after', async () => {
    const { core, record } = await begin()
    const changed = changedBetween({ has: null, kept: 1, gone: 'x' }, { has: 'Sara', kept: 1 })
    await record({ ...asked, about: 'bags 12', changed, reason: 'she called' })
    await record({ by: { kind: 'operator', name: 'node' }, kind: 'mode-set', orderId: 1, at: noon + 5 })
    expect(await listEvents(core, 'order_id', [1])).toMatchObject([
      {
        ...asked,
        at: noon,
        data: {
          about: 'bags 12',
          changed: { has: [null, 'Sara'], gone: ['x', null] },
          personal: { reason: 'she called' },
        },
      },
      { by: { kind: 'operator', name: 'node' }, at: noon + 5, data: { about: null, personal: null } },
    ])
  })

  it('the last act of a kind and the number of acts are found without what others caused', async () => {
    const { database, core, record } = await begin()
    await record(asked)
    await record({ ...asked, by: { kind: 'operator', name: 'Huda' }, at: noon + 1 })
    await record({ ...asked, orderId: 2, userId: 8 })
    await database.transaction(() =>
      recordEvent(core, { kind: 'link-created', data: {}, by: { kind: 'owner' }, orderId: 1 }),
    )
    expect(await findLastAct(core, { orderId: 1 }, ['message-asked', 'inquired'])).toMatchObject({
      by: { name: 'Huda' },
    })
    expect(await findLastAct(core, { userId: 8 }, ['message-asked'])).toMatchObject({ by: sara, orderId: 2 })
    expect(await findLastAct(core, { orderId: 1 }, ['link-created', 'inquired'])).toBeUndefined()
    const count = (since: number) => countActs(core, { userId: 7, kind: 'message-asked', since })
    expect([await count(noon - 1), await count(noon), await count(noon + 1)]).toEqual([2, 1, 0])
  })
})
