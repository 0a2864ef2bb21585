import { beforeEach, expect, it } from 'vitest'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { hour, minute, noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { createPairingsStore, type PairingRow, type PairingsStore } from './pairings.store.ts'

const phone = '+966500000101'
const browserHash = 'browser-1'

const pairing = (change: Partial<PairingRow> = {}) => ({
  browser_hash: browserHash,
  phone,
  pairing: '482913',
  address: '192.0.2.1',
  shown_at: noon,
  expires_at: noon + 30 * minute,
  ...change,
})
const alert = (change: object = {}) => ({
  phone,
  partner_agent_id: 'A01',
  name: 'وكيل منى',
  wrong_codes: 10,
  sends: 4,
  noticed_at: noon,
  ends_at: noon + 24 * hour,
  ...change,
})

/** Contract of the store of pairing numbers. */
export function pairingsStoreContract(_engine: Engine, open: OpenDatabase): void {
  let store: PairingsStore
  let database: Database
  beforeEach(async () => {
    database = await open()
    store = createPairingsStore(database)
  })

  it('opens the browser that shows the number, once and until it expires', async () => {
    expect(await store.addPairing(pairing())).toBe(true)
    const until = noon + hour
    const wrong = { phone, pairing: '111111' }
    expect(await store.openPairing(wrong, { now: noon, until })).toBe(false)
    const right = { phone, pairing: '482913' }
    expect(await store.openPairing({ ...right, phone: '+966500000102' }, { now: noon, until })).toBe(false)
    expect(await store.openPairing(right, { now: noon + 30 * minute, until })).toBe(false)
    const answers = await atOnce(4, () => store.openPairing(right, { now: noon + minute, until }))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await store.findPairing({ browserHash, phone }, until - 1)).toMatchObject({
      opened_at: noon + minute,
      expires_at: until,
    })
    expect(await store.findPairing({ browserHash, phone }, until)).toBeUndefined()
    await store.endPairing({ browserHash, phone })
    expect(await store.findPairing({ browserHash, phone }, noon)).toBeUndefined()
  })

  it('has a number once for a phone, and one number for a browser until it expires', async () => {
    expect(await store.addPairing(pairing())).toBe(true)
    expect(await store.addPairing(pairing({ browser_hash: 'browser-2' }))).toBe(false)
    expect(await store.addPairing(pairing({ browser_hash: 'browser-2', phone: '+966500000102' }))).toBe(true)
    expect(await store.addPairing(pairing({ pairing: '111111' }))).toBe(false)
    const later = noon + 30 * minute
    expect(
      await store.addPairing(pairing({ pairing: '111111', shown_at: later, expires_at: later + 1 })),
    ).toBe(true)
    expect(await store.findPairing({ browserHash, phone }, later)).toMatchObject({ pairing: '111111' })
  })

  it('follows a browser to another binding cookie', async () => {
    await store.addPairing(pairing())
    await store.moveBrowser(browserHash, 'browser-9')
    expect(await store.findPairing({ browserHash, phone }, noon)).toBeUndefined()
    expect(await store.findPairing({ browserHash: 'browser-9', phone }, noon)).toMatchObject({
      pairing: '482913',
    })
  })

  it('keeps the newest numbers of an address, and those that were opened', async () => {
    for (let each = 0; each < 5; each += 1)
      await store.addPairing(
        pairing({ browser_hash: `b-${each}`, pairing: `48291${each}`, shown_at: noon + each }),
      )
    await store.openPairing({ phone, pairing: '482910' }, { now: noon, until: noon + hour })
    await store.addPairing(pairing({ browser_hash: 'other', pairing: '222222', address: '192.0.2.2' }))
    await store.deleteBeyond({ phone, address: '192.0.2.1' }, 2)
    const rows = await database.tables.selectFrom('agent_pairings').select('browser_hash').execute()
    expect(rows.map(({ browser_hash }) => browser_hash).sort()).toEqual(['b-0', 'b-3', 'b-4', 'other'])
  })

  it('has one alert for a number, which begins anew after its end', async () => {
    expect(await store.noteAlert(alert())).toBe(true)
    expect(await store.noteAlert(alert({ noticed_at: noon + hour }))).toBe(false)
    expect(
      await store.noteAlert(alert({ noticed_at: noon + hour, sends: 10, ends_at: noon + 25 * hour })),
    ).toBe(true)
    const read = () =>
      database.tables
        .selectFrom('agent_alerts')
        .select(['id', 'sends', 'noticed_at', 'ends_at'])
        .executeTakeFirst()
    const first = await read()
    expect(first).toMatchObject({ sends: 10, noticed_at: noon, ends_at: noon + 25 * hour })
    expect(await store.countAlerts(noon + 25 * hour - 1)).toBe(1)
    expect(await store.countAlerts(noon + 25 * hour)).toBe(0)
    const next = noon + 30 * hour
    await store.noteAlert(alert({ noticed_at: next, ends_at: next + hour }))
    expect(await read()).toEqual({ ...first, sends: 4, noticed_at: next, ends_at: next + hour })
  })

  it('deletes what has ended, in pieces', async () => {
    for (let each = 0; each < 3; each += 1)
      await store.addPairing(pairing({ browser_hash: `b-${each}`, pairing: `48291${each}` }))
    await store.noteAlert(alert())
    const after = noon + 30 * minute + 1
    expect(await store.deleteEnded(noon, 10)).toBe(0)
    expect(await store.deleteEnded(after, 2)).toBe(2)
    expect(await store.deleteEnded(after, 2)).toBe(1)
    expect(await store.deleteEnded(noon + 24 * hour + 1, 2)).toBe(1)
  })
}
