import { brotliDecompressSync } from 'node:zlib'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { isFailure } from '#server/platform/errors.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { hour, type ManualClock, manualClock, minute, second } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openBrowser, openFeatureApp, problemOf, routesFor } from '#test/kit/gateway/feature-app.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import type { PartnerProvider } from './partner.provider.ts'
import { acceptHalvedList, storeList } from './partner.queries.ts'
import { partnerRoutes } from './partner.routes.ts'
import { findAgent, findAgentByPhone, findCenter, listCenters, warmUp } from './partner.ts'

const center: Center = {
  code: '1',
  addressAR: 'حي السويدي',
  addressEN: 'Al Suwaidi',
  city: 'Riyadh',
  coordinates: { latitude: 24.5, longitude: 46.6 },
}
const agent: PartnerAgent = {
  id: 'A01',
  name: 'وكيل منى',
  address: 'منى',
  city: 'Mina',
  phone: '+966 50 000 0101',
  coordinates: null,
}

function partnerDouble() {
  const state = {
    isDown: false,
    centers: [center],
    agents: [agent],
    dropped: {} as Record<string, number>,
    asked: { centers: 0, agents: 0 },
  }
  let gate: Promise<void> = Promise.resolve()
  async function answer<T>(kind: 'centers' | 'agents', rows: () => T[]): Promise<T[]> {
    state.asked[kind] += 1
    await gate
    if (state.isDown) throw new OutcomeUnknownError('GET /api/lookup')
    return rows()
  }
  const read = async <T>(rows: Promise<T[]>) => ({ rows: await rows, dropped: state.dropped })
  const provider: PartnerProvider = {
    fetchCenters: () => read(answer('centers', () => state.centers)),
    fetchAgents: () => read(answer('agents', () => state.agents)),
  }
  /** Delays the answers until the returned function is called. */
  function delayAnswers(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return resolve
  }
  return { provider, state, delayAnswers }
}

interface Parts {
  partner?: ReturnType<typeof partnerDouble>
  database?: Database
  clock?: ManualClock
}

/** A gateway; a second one on the same database stands for a restart. */
async function openFixture({ partner = partnerDouble(), clock = manualClock(), ...parts }: Parts = {}) {
  const database = parts.database ?? (await openMemory())
  const lines: { event: string }[] = []
  const core = await openCore(
    { database, clock },
    {
      providers: { partner: partner.provider },
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    },
  )
  const app = await openFeatureApp((app) => partnerRoutes(core, routesFor(core, app)))
  const metric = (name: string) => core.metrics.registry.getSingleMetricAsString(name)
  return { browser: openBrowser(app), partner, clock, database, core, metric, lines }
}

const centersPath = '/api/partner/centers'
const agentsPath = '/api/partner/agents'

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the partner’s lists', () => {
  it('are those of the partner', async () => {
    const { browser } = await openFixture()
    expect((await browser.get(centersPath)).json).toEqual({ success: true, centers: [center] })
    expect((await browser.get(agentsPath)).json).toEqual({ success: true, agents: [agent] })
  })

  it('are fetched once for twenty concurrent requests', async () => {
    const { browser, partner } = await openFixture()
    const answers = await atOnce(20, () => browser.get(centersPath))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(partner.state.asked).toEqual({ centers: 1, agents: 0 })
  })

  it('are fetched again after five minutes, and not before', async () => {
    const { browser, partner, clock } = await openFixture()
    await browser.get(centersPath)
    clock.advance(5 * minute - 1)
    await browser.get(centersPath)
    expect(partner.state.asked.centers).toBe(1)
    clock.advance(1)
    await browser.get(centersPath)
    await settle()
    expect(partner.state.asked.centers).toBe(2)
  })

  it('are fetched again after five minutes also when the clock is set back meanwhile', async () => {
    const { browser, partner, clock } = await openFixture()
    await browser.get(centersPath)
    clock.set(-hour)
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    expect(partner.state.asked.centers).toBe(2)
  })

  it('are served from the cached copy while the partner is slow', async () => {
    const { browser, partner, clock } = await openFixture()
    await browser.get(centersPath)
    clock.advance(5 * minute)
    const answerNow = partner.delayAnswers()
    partner.state.centers = [{ ...center, code: '2' }]
    expect((await browser.get(centersPath)).json.centers).toEqual([center])
    answerNow()
    await settle()
    expect((await browser.get(centersPath)).json.centers).toEqual([{ ...center, code: '2' }])
    expect(partner.state.asked.centers).toBe(2)
  })

  it('are served as stale while the partner is down', async () => {
    const { browser, partner, clock } = await openFixture()
    expect((await browser.get(centersPath)).headers).not.toHaveProperty('warning')
    partner.state.isDown = true
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    const answer = await browser.get(centersPath)
    expect(answer).toMatchObject({ status: 200, json: { centers: [center] } })
    expect(answer.headers.warning).toBe('110 amtiati "Response is Stale"')
  })

  it('are not fetched for three seconds after a failure', async () => {
    const { browser, partner, clock } = await openFixture()
    await browser.get(centersPath)
    partner.state.isDown = true
    clock.advance(5 * minute)
    for (let visitor = 0; visitor < 5; visitor += 1) {
      await browser.get(centersPath)
      await settle()
    }
    expect(partner.state.asked.centers).toBe(2)
    partner.state.isDown = false
    clock.advance(10 * second)
    await browser.get(centersPath)
    await settle()
    expect((await browser.get(centersPath)).headers).not.toHaveProperty('warning')
    expect(partner.state.asked.centers).toBe(3)
  })

  it('are served after a restart while the partner is down', async () => {
    const before = await openFixture()
    await before.browser.get(centersPath)
    await before.browser.get(agentsPath)
    before.clock.advance(60 * minute)
    before.partner.state.isDown = true
    const after = await openFixture(before)
    const answer = await after.browser.get(centersPath)
    expect(answer).toMatchObject({ status: 200, json: { centers: [center] } })
    expect(answer.headers.warning).toBeDefined()
    expect((await after.browser.get(agentsPath)).json.agents).toEqual([agent])
  })

  it('are not available when the partner is down from the start', async () => {
    const partner = partnerDouble()
    partner.state.isDown = true
    const { browser, clock } = await openFixture({ partner })
    expect(problemOf(await browser.get(centersPath))).toMatchObject({
      status: 503,
      code: 'CENTERS_UNAVAILABLE',
      retryAfterSeconds: 3,
    })
    expect(problemOf(await browser.get(agentsPath))).toMatchObject({
      status: 503,
      code: 'AGENTS_UNAVAILABLE',
    })
    partner.state.isDown = false
    clock.advance(3 * second)
    expect((await browser.get(centersPath)).status).toBe(200)
  })
})

describe('caching of a list', () => {
  async function openWithTag() {
    const fixture = await openFixture()
    const { headers } = await fixture.browser.get(centersPath)
    return { ...fixture, etag: String(headers.etag) }
  }

  it('allows shared caches, with a strong tag', async () => {
    const { browser, etag } = await openWithTag()
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const { headers } = await browser.get(centersPath)
    expect(headers.etag).toBe(etag)
    expect(headers['cache-control']).toMatch(/^public, max-age=60/)
  })

  it.each([(etag: string) => etag, (etag: string) => `W/${etag}`, (etag: string) => `"other", ${etag}`])(
    'is not sent again',
    async (header) => {
      const { browser, etag } = await openWithTag()
      const answer = await browser.get(centersPath, { 'if-none-match': header(etag) })
      expect(answer.status).toBe(304)
      expect(answer.bytes).toHaveLength(0)
      expect(answer.headers.etag).toBe(etag)
    },
  )

  it('sends a changed list, and keeps the tag of an unchanged one', async () => {
    const { browser, etag, partner, clock } = await openWithTag()
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    expect((await browser.get(centersPath, { 'if-none-match': etag })).status).toBe(304)
    const other = { ...center, code: '2' }
    partner.state.centers = [other]
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    const answer = await browser.get(centersPath, { 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 200, json: { centers: [other] } })
    expect(answer.headers.etag).not.toBe(etag)
  })

  it('compresses a list once', async () => {
    const { browser, partner, clock, core } = await openWithTag()
    const packed = () => browser.get(centersPath, { 'accept-encoding': 'gzip, br' })
    const first = await packed()
    expect(first.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(JSON.parse(brotliDecompressSync(first.bytes).toString())).toEqual({
      success: true,
      centers: [center],
    })
    const { answer } = await listCenters(core)
    clock.advance(5 * minute)
    await packed()
    await settle()
    expect((await listCenters(core)).answer).toBe(answer)
    partner.state.centers = [{ ...center, code: '2' }]
    clock.advance(5 * minute)
    await packed()
    await settle()
    expect((await listCenters(core)).answer).not.toBe(answer)
    expect((await packed()).headers.etag).not.toBe(first.headers.etag)
  })

  it('keeps the tag over a restart', async () => {
    const { etag, ...fixture } = await openWithTag()
    const after = await openFixture(fixture)
    expect((await after.browser.get(centersPath)).headers.etag).toBe(etag)
  })
})

describe('finding', () => {
  it('finds branches by code and agents by id', async () => {
    const { core } = await openFixture()
    expect(await findCenter(core, '1')).toEqual(center)
    expect(await findCenter(core, '2')).toBeUndefined()
    expect(await findAgent(core, 'A01')).toEqual(agent)
    expect(await findAgent(core, 'a01')).toBeUndefined()
  })

  it('finds an agent by the phone in any spelling of the directory', async () => {
    const { core, partner } = await openFixture()
    partner.state.agents = [{ ...agent, id: 'A00', phone: 'unknown' }, agent]
    expect(await findAgentByPhone(core, '+966500000101')).toEqual(agent)
    expect(await findAgentByPhone(core, '+966500000102')).toBeUndefined()
  })

  it('throws while the directory is not available, instead of finding no agent', async () => {
    const partner = partnerDouble()
    partner.state.isDown = true
    const { core } = await openFixture({ partner })
    const error = await findAgentByPhone(core, '+966500000101').catch((thrown: unknown) => thrown)
    expect(isFailure(error, 'AGENTS_UNAVAILABLE')).toBe(true)
  })
})

describe('warmUp', () => {
  it('fetches both lists, and does not throw when the partner is down', async () => {
    const { core, partner } = await openFixture()
    partner.state.isDown = true
    await warmUp(core)
    expect(partner.state.asked).toEqual({ centers: 1, agents: 1 })
  })

  it('begins the age of the lists', async () => {
    const { core, clock } = await openFixture()
    await warmUp(core)
    clock.advance(minute)
    expect(await measured(core, 'amtiati_partner_list_age_seconds{list="centers"}')).toBe(60)
    expect(await measured(core, 'amtiati_partner_list_age_seconds{list="agents"}')).toBe(60)
  })
})

describe('an implausible list', () => {
  const agents = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...agent,
      id: `A${index}`,
      phone: `+9665000001${String(index).padStart(2, '0')}`,
    }))
  const phoneOf = (index: number) => `+9665000001${String(index).padStart(2, '0')}`

  /** A fixture with ten cached agents, whose partner then returns another list. */
  async function openWith(next: PartnerAgent[]) {
    const partner = partnerDouble()
    partner.state.agents = agents(10)
    const fixture = await openFixture({ partner })
    await fixture.browser.get(agentsPath)
    partner.state.agents = next
    /** Refreshes the list; returns the number of agents served then. */
    async function later(ms: number): Promise<number> {
      fixture.clock.advance(ms)
      await fixture.browser.get(agentsPath)
      await settle()
      return ((await fixture.browser.get(agentsPath)).json.agents as unknown[]).length
    }
    return { ...fixture, later }
  }

  it.each([
    ['empty', 0],
    ['halved', 4],
  ])('is refused when it is %s: the cached one is served as stale', async (reason, left) => {
    const { browser, core, later, metric, lines } = await openWith(agents(left))
    expect(await later(5 * minute)).toBe(10)
    expect((await browser.get(agentsPath)).headers.warning).toBeDefined()
    expect(await findAgentByPhone(core, phoneOf(9))).toMatchObject({ id: 'A9' })
    expect(await metric('amtiati_partner_lists_refused_total')).toContain(
      `amtiati_partner_lists_refused_total{list="agents",reason="${reason}"} 1`,
    )
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'partner.list-refused', level: 50, reason, rows: left, kept: 10 }),
    )
  })

  it('is accepted when exactly half remains', async () => {
    const { later } = await openWith(agents(5))
    expect(await later(5 * minute)).toBe(5)
  })

  it('is fetched again after a minute, and replaced by a plausible one', async () => {
    const { later, partner } = await openWith([])
    await later(5 * minute)
    const { asked } = partner.state
    const before = asked.agents
    await later(59 * second)
    expect(asked.agents).toBe(before)
    partner.state.agents = agents(11)
    expect(await later(second)).toBe(11)
  })

  it('is accepted after 24 hours also when gateways were restarted meanwhile, unless an empty one came', async () => {
    const { later, ...fixture } = await openWith(agents(3))
    expect(await later(5 * minute)).toBe(10)
    /** A gateway that starts now; the second request finds what the first one had fetched. */
    async function restartAfter(ms: number) {
      fixture.clock.advance(ms)
      const { browser } = await openFixture(fixture)
      await browser.get(agentsPath)
      await settle()
      return ((await browser.get(agentsPath)).json.agents as unknown[]).length
    }
    expect(await restartAfter(12 * hour)).toBe(10)
    fixture.partner.state.agents = []
    expect(await restartAfter(11 * hour)).toBe(10)
    fixture.partner.state.agents = agents(3)
    expect(await restartAfter(hour)).toBe(10)
    expect(await restartAfter(24 * hour - 1)).toBe(10)
    expect(await restartAfter(1)).toBe(3)
    // The gateway that was not restarted has ten in its memory, and finds what another one has accepted.
    expect(await later(5 * minute)).toBe(3)
  })

  it('is accepted with the next fetch once an operator accepts it, and only then', async () => {
    const { later, core } = await openWith(agents(3))
    expect(await acceptHalvedList(core, 'agents', core.clock.now())).toBe(false)
    expect(await later(5 * minute)).toBe(10)
    // The list that the operator was asked about is accepted, and not one that was refused before or after it.
    expect(await acceptHalvedList(core, 'agents', core.clock.now() - 1)).toBe(false)
    expect(await acceptHalvedList(core, 'agents', core.clock.now())).toBe(true)
    expect(await acceptHalvedList(core, 'agents', core.clock.now())).toBe(false)
    expect(await later(minute)).toBe(3)
  })

  it('is never accepted when empty', async () => {
    const { later } = await openWith([])
    for (let day = 0; day < 4; day += 1) expect(await later(24 * hour)).toBe(10)
  })

  it('is refused when empty, also without a cached copy', async () => {
    const partner = partnerDouble()
    partner.state.centers = []
    const { browser } = await openFixture({ partner })
    expect(problemOf(await browser.get(centersPath))).toMatchObject({
      status: 503,
      code: 'CENTERS_UNAVAILABLE',
    })
  })

  it('is not read from an empty stored copy', async () => {
    const fixture = await openFixture()
    await storeList(fixture, 'centers', '[]', fixture.clock.now())
    expect((await fixture.browser.get(centersPath)).json.centers).toEqual([center])
  })
})

describe('dropped rows', () => {
  it('are counted by reason, and logged once while they stay the same', async () => {
    const { browser, partner, clock, metric, lines } = await openFixture()
    partner.state.dropped = { 'office-unreadable': 2, 'office-without-address': 1 }
    for (let count = 0; count < 3; count += 1) {
      await browser.get(centersPath)
      await settle()
      clock.advance(5 * minute)
    }
    expect(await metric('amtiati_partner_rows_dropped_total')).toContain(
      'amtiati_partner_rows_dropped_total{list="centers",reason="office-unreadable"} 6',
    )
    expect(lines).toEqual([
      expect.objectContaining({
        event: 'partner.rows-dropped',
        kind: 'centers',
        dropped: partner.state.dropped,
      }),
    ])
  })
})
