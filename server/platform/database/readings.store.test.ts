import { beforeEach, expect, it } from 'vitest'
import { manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { createReadingsStore } from './readings.store.ts'

forEachEngine((_engine, open) => {
  let store: ReturnType<typeof createReadingsStore>
  beforeEach(async () => {
    store = createReadingsStore(await open(manualClock()))
  })
  const at = (now: number) => ({ now, before: now - minute })

  it('a thing is stored once for each reader, and anew once its time is over', async () => {
    expect((await store.addReadings('agent A01', ['2', '1'], at(noon))).sort()).toEqual(['1', '2'])
    expect(await store.addReadings('agent A01', ['1', '3'], at(noon + 1))).toEqual(['3'])
    expect(await store.addReadings('agent A02', ['1'], at(noon + 2))).toEqual(['1'])
    expect(await store.addReadings('agent A01', [], at(noon + 3))).toEqual([])
    expect(await store.listReadings('agent A01', noon - 1, 10)).toMatchObject([
      { about: '3', at: noon + 1 },
      { at: noon },
      { at: noon },
    ])
    expect(await store.listReadings('agent A01', noon, 10)).toEqual([{ about: '3', at: noon + 1 }])
    expect(await store.listReadings('agent A01', noon - 1, 1)).toHaveLength(1)
    expect(await store.addReadings('agent A01', ['1', '3'], at(noon + minute))).toEqual(['1'])
  })

  it('what one reader was shown is another’s, once', async () => {
    await store.addReadings('one', ['1', '2'], at(noon))
    await store.addReadings('other', ['2', '3'], at(noon + 1))
    await store.moveReadings('one', 'other')
    expect(await store.listReadings('other', 0, 10)).toHaveLength(3)
    expect(await store.listReadings('one', 0, 10)).toEqual([{ about: '2', at: noon }])
  })

  it('what was not shown is taken back', async () => {
    await store.addReadings('agent A01', ['1', '2'], at(noon))
    await store.removeReadings('agent A01', ['2', '9'])
    await store.removeReadings('agent A01', [])
    expect(await store.listReadings('agent A01', 0, 10)).toEqual([{ about: '1', at: noon }])
  })
})
