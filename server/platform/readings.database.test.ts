import { expect, it } from 'vitest'
import { hour, manualClock, minute } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { createReadings } from './readings.ts'

const three = { count: 3, windowMs: hour }
const allowed = (used: number) => ({ used, waitMs: undefined })

forEachEngine((_, open) => {
  it('a reader is shown so many different things in an hour on two gateways together, and the same ones again', async () => {
    const clock = manualClock()
    const database = await open(clock)
    const one = createReadings({ database, clock }).take
    const other = createReadings({ database, clock }).take
    expect(await one('agent A01', ['1', '2', '1'], three)).toEqual(allowed(2))
    clock.advance(minute)
    expect(await other('agent A01', ['2'], three)).toEqual(allowed(2))
    expect(await other('agent A01', ['3', '4'], three)).toEqual({ used: 4, waitMs: 59 * minute })
    expect(await other('agent A01', ['3'], three)).toEqual(allowed(3))
    expect(await one('agent A01', ['1', '2'], three)).toEqual(allowed(2))
    expect(await one('agent A01', ['4'], three)).toEqual({ used: 4, waitMs: 59 * minute })
    expect(await one('agent A02', ['4'], three)).toEqual(allowed(1))
    clock.advance(59 * minute)
    expect(await one('agent A01', ['4', '5'], three)).toEqual(allowed(3))
    expect(await one('agent A01', ['6'], three)).toEqual({ used: 4, waitMs: minute })
  })

  it('of readings at the same moment no more than so many are shown', async () => {
    const clock = manualClock()
    const database = await open(clock)
    const gateways = [createReadings({ database, clock }), createReadings({ database, clock })]
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((thing) => gateways[thing % 2]?.take('agent A01', [String(thing)], three)),
    )
    expect(answers.filter((answer) => answer?.waitMs === undefined).length).toBeLessThanOrEqual(3)
    const rows = await database.tables.selectFrom('readings').selectAll().execute()
    expect(rows.length).toBeLessThanOrEqual(3)
  })

  it('what a reader was not shown after all is free again, and a reader may get another name', async () => {
    const clock = manualClock()
    const readings = createReadings({ database: await open(clock), clock })
    await readings.take('one', ['1', '2', '3'], three)
    await readings.drop('one', ['3'])
    expect(await readings.take('one', ['4'], three)).toEqual(allowed(3))
    await readings.move('one', 'other')
    expect(await readings.take('other', ['5'], three)).toMatchObject({ used: 4, waitMs: hour })
  })

  it('what was counted is read again without a statement', async () => {
    const clock = manualClock()
    const database = await open(clock)
    const readings = createReadings({ database, clock })
    await readings.take('agent A01', ['1', '2'], three)
    await database.tables.deleteFrom('readings').execute()
    await readings.take('agent A01', ['2', '1'], three)
    expect(await database.tables.selectFrom('readings').selectAll().execute()).toEqual([])
  })
})
