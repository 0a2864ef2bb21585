import type { KyselyPlugin } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { auditRowOf } from '#server/desk/audit/audit.rules.ts'
import { listStops } from '#server/desk/stops/desk-stops.ts'
import { listActs } from '#server/features/history/acts.ts'
import type { NewStop } from '#shared/stops/stops.schemas.ts'
import { hour, manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { agent, center } from '#test/kit/orders/orders.ts'
import { partnerWith } from '#test/kit/orders/partner.ts'
import { replaceBy } from '#test/kit/orders/stops.ts'
import { listShownStops } from './stops.ts'

const text = { ar: 'موقوف اليوم.', en: 'Stopped today.' }
const ofAgent: NewStop = { what: 'agent', code: 'A01', text }
const ofAll: NewStop = { what: 'all', text }
const iso = (ms: number) => new Date(noon + ms).toISOString()

async function openFixture() {
  const clock = manualClock()
  const database = await openMemory(clock)
  const partner = partnerWith([agent], [center])
  const core = await openCore({ database, clock }, { providers: { partner } })
  return {
    clock,
    database,
    core,
    replace: (actor: string, wanted: readonly NewStop[], revision?: string, key?: string) =>
      replaceBy(core, actor, { stops: [...wanted], ...(revision === undefined ? {} : { revision }) }, key),
    actions: async () =>
      (await listActs({ database }, { limit: 10 }))
        .map(auditRowOf)
        .map(({ by, action, reason, before, after }) => ({
          by,
          action,
          reason,
          before: Object.values(JSON.parse(before)),
          after: Object.values(JSON.parse(after)),
        })),
    rows: () => database.tables.selectFrom('stops').selectAll().orderBy('id').execute(),
  }
}

describe('the stops', () => {
  it('are replaced: what is asked for as it is stays, the rest ends, and the audit has both', async () => {
    const { clock, core, replace, rows, actions } = await openFixture()
    const { stops: first } = await replace('Sara', [ofAgent, { ...ofAll, from: iso(hour) }])
    expect(first).toEqual([
      { ...ofAgent, from: iso(0), isInForce: true, by: 'Sara', at: iso(0), reason: 'Sara says so' },
      { ...ofAll, from: iso(hour), isInForce: false, by: 'Sara', at: iso(0), reason: 'Sara says so' },
    ])
    clock.advance(minute)
    // As it was read, and as it was asked for.
    await replace('Majed', [{ ...ofAgent, from: iso(0) }])
    await replace('Lulwa', [ofAgent])
    expect(await rows()).toMatchObject([
      { what: 'agent', set_by: 'Sara', from_at: noon, ended_at: null },
      {
        what: 'all',
        set_by: 'Sara',
        ended_at: noon + minute,
        ended_by: 'Majed',
        ended_because: 'Majed says so',
      },
    ])
    expect((await listStops(core)).stops).toHaveLength(1)
    const ofAllInWords = `all, from ${iso(hour)}: ${text.ar} / ${text.en}`
    expect((await actions()).reverse()).toEqual([
      {
        by: 'Sara',
        action: 'stops-changed',
        reason: 'Sara says so',
        before: [],
        after: [`agent A01, from ${iso(0)}: ${text.ar} / ${text.en}`, ofAllInWords],
      },
      { by: 'Majed', action: 'stops-changed', reason: 'Majed says so', before: [ofAllInWords], after: [] },
      { by: 'Lulwa', action: 'stops-changed', reason: 'Lulwa says so', before: [], after: [] },
    ])
  })

  it('are replaced once under a key, also where the answer was lost and others have changed them since', async () => {
    const { clock, core, replace, rows, actions } = await openFixture()
    const { revision } = await listStops(core)
    const press = () => replace('Sara', [ofAgent], revision, 'the form of Sara')
    const first = await press()
    clock.advance(minute)
    expect(await press()).toEqual(first)
    const { stops: since } = await replace('Huda', [ofAll], first.revision)
    expect((await press()).stops).toEqual(since)
    expect((await rows()).map(({ what, set_by }) => [what, set_by])).toEqual([
      ['agent', 'Sara'],
      ['all', 'Huda'],
    ])
    expect((await actions()).map(({ by }) => by)).toEqual(['Huda', 'Sara'])
  })

  it('have another row for another sentence, which begins when it is set', async () => {
    const { clock, replace, rows } = await openFixture()
    await replace('Sara', [ofAgent])
    clock.advance(minute)
    await replace('Sara', [{ ...ofAgent, from: iso(0), text: { ...text, en: 'Closed today.' } }])
    expect(await rows()).toMatchObject([
      { text_en: 'Stopped today.', from_at: noon, ended_at: noon + minute },
      { text_en: 'Closed today.', from_at: noon + minute, ended_at: null },
    ])
  })

  it('of everything are set and ended after a fresh sign-in alone, and those of an agent without one', async () => {
    const { clock, core, rows } = await openFixture()
    const replace = (wanted: readonly NewStop[], authenticatedAt: number) =>
      replaceBy(core, 'Lulwa', { stops: [...wanted] }, undefined, authenticatedAt).then(
        () => 'done',
        ({ code }) => code,
      )
    const old = clock.now() - 5 * minute - 1
    expect(await replace([ofAgent, ofAll], old)).toBe('REAUTHENTICATION_REQUIRED')
    expect(await rows()).toEqual([])
    expect(await replace([ofAgent], old)).toBe('done')
    expect(await measured(core, 'amtiati_sales_stopped')).toBe(0)
    expect(await replace([ofAgent, ofAll], clock.now())).toBe('done')
    expect(await measured(core, 'amtiati_sales_stopped')).toBe(1)
    expect(await replace([ofAgent], old)).toBe('REAUTHENTICATION_REQUIRED')
    expect(await replace([ofAll], old)).toBe('done')
    expect(await replace([], clock.now())).toBe('done')
  })

  it('are changed from a page on which one has run out since: that one is left out', async () => {
    const { clock, replace, rows } = await openFixture()
    const { stops: read, revision } = await replace('Sara', [{ ...ofAgent, until: iso(minute) }])
    clock.advance(2 * minute)
    const wanted = read.map(
      ({ what, code, from, until, text }) => ({ what, code, from, until, text }) as NewStop,
    )
    const set = await replace('Sara', [...wanted, ofAll], revision)
    expect(set.stops).toMatchObject([{ what: 'all' }])
    expect((await replace('Sara', [...wanted, ofAll], set.revision)).stops).toEqual(set.stops)
    expect(await rows()).toHaveLength(2)
  })

  it.each<[NewStop, string, string]>([
    [{ ...ofAgent, code: 'A99' }, 'stops.1.code', 'Not in the lists'],
    [{ ...ofAgent, what: 'branch', code: '9' }, 'stops.1.code', 'Not in the lists'],
    [{ ...ofAgent, what: 'city', code: 'riyadh' }, 'stops.1.code', 'Not in the lists'],
    [{ what: 'city', text }, 'stops.1.code', 'Name the agent'],
    [{ ...ofAll, code: 'A01' }, 'stops.1.code', 'nothing for all'],
    [{ ...ofAll, until: iso(0) }, 'stops.1.until', 'after now'],
    [{ ...ofAll, from: iso(hour), until: iso(hour) }, 'stops.1.until', 'after its beginning'],
  ])('refuse %j, name its field and change nothing', async (stop, field, words) => {
    const { replace, rows, actions } = await openFixture()
    const refused = await replace('Sara', [ofAgent, stop]).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'STOPS_REFUSED',
      details: { fields: [{ field, text: { en: expect.stringContaining(words) } }] },
    })
    expect([await rows(), await actions()]).toEqual([[], []])
  })

  it('stay when they were changed since they were read; the refusal names the colleague', async () => {
    const { clock, core, replace } = await openFixture()
    const { revision } = await listStops(core)
    const set = await replace('Huda', [ofAgent], revision)
    const late = (read: string) => replace('Sara', [], read).catch((error: unknown) => error)
    expect(await late(revision)).toMatchObject({
      code: 'STOPS_CHANGED',
      details: { values: { who: 'Huda' } },
    })
    clock.advance(minute)
    const emptied = await replace('Majed', [], set.revision)
    expect(await late(set.revision)).toMatchObject({ details: { values: { who: 'Majed' } } })
    expect(emptied.stops).toEqual([])
  })
})

describe('what browsers mark', () => {
  it('is what is stopped and what will be, as it was read last while the database does not answer', async () => {
    const { clock, database, replace } = await openFixture()
    /** Delays the answers of the database, or makes them fail. */
    let answer: () => Promise<void> = async () => undefined
    const gate: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await answer()
        return result
      },
    }
    const gated = Object.create(database, { tables: { get: () => database.tables.withPlugin(gate) } })
    const core = await openCore({ database: gated, clock })
    const listShown = () => listShownStops(core, 1)
    expect(await listShown()).toEqual([])
    await replace('Sara', [
      { ...ofAgent, until: iso(minute) },
      { ...ofAll, from: iso(hour) },
    ])
    const both = [
      { ...ofAgent, from: iso(0), until: iso(minute) },
      { ...ofAll, from: iso(hour) },
    ]
    await vi.waitFor(async () => expect(await listShown()).toEqual(both))
    answer = () => Promise.reject(new Error('the database is away'))
    expect(await listShown()).toEqual(both)
    const hanging = Promise.withResolvers<never>()
    answer = () => hanging.promise
    expect(await listShown()).toEqual(both)
    hanging.reject(new Error('it was away'))
    answer = async () => undefined
    clock.advance(minute)
    await vi.waitFor(async () => expect(await listShown()).toEqual(both.slice(1)))
  })
})
