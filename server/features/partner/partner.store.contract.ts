import { beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import { createPartnerStore, type PartnerStore } from './partner.store.ts'

const noon = 1_800_000_000_000

/** Contract of the partner store. A list has no owner and no states, so there is no isolation and no transition. */
export function partnerStoreContract(_engine: Engine, open: OpenDatabase): void {
  let store: PartnerStore
  beforeEach(async () => {
    store = createPartnerStore(await open())
  })

  describe('stores and finds', () => {
    it('a list with the time it was fetched, byte for byte', async () => {
      const body = JSON.stringify([{ code: '1', addressAR: 'حي السويدي «١»', addressEN: "Al Suwaidi's" }])
      await store.saveList('centers', body, noon)
      expect(await store.findList('centers')).toEqual({ body, fetchedAt: noon })
    })

    it('since when halved lists came, until another one does', async () => {
      expect(await store.noteHalved('agents', noon)).toBe(noon)
      await store.saveList('agents', '["kept"]', noon)
      expect(await store.noteHalved('agents', noon + 1)).toBe(noon + 1)
      expect(await store.noteHalved('agents', noon + 2)).toBe(noon + 1)
      await store.saveList('agents', '["new"]', noon + 3)
      expect(await store.noteHalved('agents', noon + 4)).toBe(noon + 4)
      await store.endHalved('agents')
      expect(await store.noteHalved('agents', noon + 5)).toBe(noon + 5)
    })
  })

  describe('unknown and duplicate', () => {
    it('finds nothing before a list is stored', async () => {
      expect(await store.findList('centers')).toBeUndefined()
      await store.saveList('agents', '[]', noon)
      expect(await store.findList('centers')).toBeUndefined()
    })
  })

  describe('concurrency', () => {
    it('ends with the newest of twenty copies stored concurrently', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const base = noon + round * 100
        await atOnce(20, (index) => {
          const at = base + ((index * 7) % 20)
          return store.saveList('agents', `["${at}"]`, at)
        })
        expect(await store.findList('agents')).toEqual({ body: `["${base + 19}"]`, fetchedAt: base + 19 })
      }
    })
  })
}
