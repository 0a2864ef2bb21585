import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import {
  acceptHalvedList,
  findStoredList,
  forgetHalvedLists,
  recordHalvedList,
  storeList,
} from './partner.queries.ts'

const noon = 1_800_000_000_000

/** A list has no owner and no states, so there is no isolation and no transition. */
forEachEngine((_engine, open) => {
  let core: { readonly database: Database }
  beforeEach(async () => {
    core = { database: await open() }
  })

  describe('stores and finds', () => {
    it('a list with the time it was fetched, byte for byte', async () => {
      const body = JSON.stringify([{ code: '1', addressAR: 'حي السويدي «١»', addressEN: "Al Suwaidi's" }])
      await storeList(core, 'centers', body, noon)
      expect(await findStoredList(core, 'centers')).toEqual({ body, fetchedAt: noon, halvedSince: null })
    })

    it('since when halved lists came, until another one does', async () => {
      expect(await recordHalvedList(core, 'agents', noon)).toBe(noon)
      await storeList(core, 'agents', '["kept"]', noon)
      expect(await recordHalvedList(core, 'agents', noon + 1)).toBe(noon + 1)
      expect(await recordHalvedList(core, 'agents', noon + 2)).toBe(noon + 1)
      await storeList(core, 'agents', '["new"]', noon + 3)
      expect(await recordHalvedList(core, 'agents', noon + 4)).toBe(noon + 4)
      await forgetHalvedLists(core, 'agents')
      expect(await recordHalvedList(core, 'agents', noon + 5)).toBe(noon + 5)
    })
  })

  describe('a halved list that is accepted', () => {
    it('is the one that was refused since this time, once, of five at the same time too', async () => {
      await storeList(core, 'agents', '["kept"]', noon)
      expect(await acceptHalvedList(core, 'agents', noon)).toBe(false)
      await recordHalvedList(core, 'agents', noon + 1)
      expect(await acceptHalvedList(core, 'agents', noon)).toBe(false)
      const accepted = await atOnce(5, () => acceptHalvedList(core, 'agents', noon + 1))
      expect(accepted.filter(Boolean)).toEqual([true])
    })
  })

  describe('unknown and duplicate', () => {
    it('finds nothing before a list is stored', async () => {
      expect(await findStoredList(core, 'centers')).toBeUndefined()
      await storeList(core, 'agents', '[]', noon)
      expect(await findStoredList(core, 'centers')).toBeUndefined()
    })
  })

  describe('concurrency', () => {
    it('ends with the newest of twenty copies stored concurrently', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const base = noon + round * 100
        await atOnce(20, (index) => {
          const at = base + ((index * 7) % 20)
          return storeList(core, 'agents', `["${at}"]`, at)
        })
        expect(await findStoredList(core, 'agents')).toEqual({
          body: `["${base + 19}"]`,
          fetchedAt: base + 19,
          halvedSince: null,
        })
      }
    })
  })
})
