import { beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { hour, manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import {
  addPairing,
  countAlerts,
  deleteBeyond,
  deleteEnded,
  deletePairing,
  findPairing,
  markOpened,
  moveBrowser,
  type PairingRow,
  writeAlert,
} from './pairings.queries.ts'

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

/** Contract of the statements about pairing numbers. */
forEachEngine((_engine, open) => {
  let core: Core
  let database: Database
  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock() })
  })

  it('opens the browser that shows the number, once and until it expires', async () => {
    expect(await addPairing(core, pairing())).toBe(true)
    const until = noon + 31 * minute
    const wrong = { phone, pairing: '111111' }
    expect(await markOpened(core, wrong, noon)).toBe(false)
    const right = { phone, pairing: '482913' }
    expect(await markOpened(core, { ...right, phone: '+966500000102' }, noon)).toBe(false)
    expect(await markOpened(core, right, noon + 30 * minute)).toBe(false)
    const answers = await atOnce(4, () => markOpened(core, right, noon + minute))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await findPairing(core, { browserHash, phone }, until - 1)).toMatchObject({
      opened_at: noon + minute,
      expires_at: until,
    })
    expect(await findPairing(core, { browserHash, phone }, until)).toBeUndefined()
    await deletePairing(core, { browserHash, phone })
    expect(await findPairing(core, { browserHash, phone }, noon)).toBeUndefined()
  })

  it('has a number once for a phone, and one number for a browser until it expires', async () => {
    expect(await addPairing(core, pairing())).toBe(true)
    expect(await addPairing(core, pairing({ browser_hash: 'browser-2' }))).toBe(false)
    expect(await addPairing(core, pairing({ browser_hash: 'browser-2', phone: '+966500000102' }))).toBe(true)
    expect(await addPairing(core, pairing({ pairing: '111111' }))).toBe(false)
    const later = noon + 30 * minute
    expect(
      await addPairing(core, pairing({ pairing: '111111', shown_at: later, expires_at: later + 1 })),
    ).toBe(true)
    expect(await findPairing(core, { browserHash, phone }, later)).toMatchObject({ pairing: '111111' })
  })

  it('follows a browser to another binding cookie', async () => {
    await addPairing(core, pairing())
    await moveBrowser(core, browserHash, 'browser-9')
    expect(await findPairing(core, { browserHash, phone }, noon)).toBeUndefined()
    expect(await findPairing(core, { browserHash: 'browser-9', phone }, noon)).toMatchObject({
      pairing: '482913',
    })
  })

  it('keeps the newest numbers of an address, and those that were opened', async () => {
    for (let each = 0; each < 5; each += 1)
      await addPairing(
        core,
        pairing({ browser_hash: `b-${each}`, pairing: `48291${each}`, shown_at: noon + each }),
      )
    await markOpened(core, { phone, pairing: '482910' }, noon)
    await addPairing(core, pairing({ browser_hash: 'other', pairing: '222222', address: '192.0.2.2' }))
    await deleteBeyond(core, { phone, address: '192.0.2.1' }, 2)
    const rows = await database.tables.selectFrom('agent_pairings').select('browser_hash').execute()
    expect(rows.map(({ browser_hash }) => browser_hash).sort()).toEqual(['b-0', 'b-3', 'b-4', 'other'])
  })

  it('has one alert for a number, which begins anew after its end', async () => {
    expect(await writeAlert(core, alert())).toBe(true)
    expect(await writeAlert(core, alert({ noticed_at: noon + hour }))).toBe(false)
    expect(
      await writeAlert(core, alert({ noticed_at: noon + hour, sends: 10, ends_at: noon + 25 * hour })),
    ).toBe(true)
    const read = () =>
      database.tables
        .selectFrom('agent_alerts')
        .select(['id', 'sends', 'noticed_at', 'ends_at'])
        .executeTakeFirst()
    const first = await read()
    expect(first).toMatchObject({ sends: 10, noticed_at: noon, ends_at: noon + 25 * hour })
    expect(await countAlerts(core, noon + 25 * hour - 1)).toBe(1)
    expect(await countAlerts(core, noon + 25 * hour)).toBe(0)
    const next = noon + 30 * hour
    await writeAlert(core, alert({ noticed_at: next, ends_at: next + hour }))
    expect(await read()).toEqual({ ...first, sends: 4, noticed_at: next, ends_at: next + hour })
  })

  it('deletes what has ended, in pieces', async () => {
    for (let each = 0; each < 3; each += 1)
      await addPairing(core, pairing({ browser_hash: `b-${each}`, pairing: `48291${each}` }))
    await writeAlert(core, alert())
    const after = noon + 30 * minute + 1
    expect(await deleteEnded(core, noon, 10)).toBe(0)
    expect(await deleteEnded(core, after, 2)).toBe(2)
    expect(await deleteEnded(core, after, 2)).toBe(1)
    expect(await deleteEnded(core, noon + 24 * hour + 1, 2)).toBe(1)
  })
})
