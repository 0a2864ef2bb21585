import { describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { isFailure } from '#server/platform/errors.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { type ManualClock, manualClock, minute, second } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/databases.ts'
import { headerScope, openBrowser, openRoomApp, problemOf, silentLog } from '#test/kit/room-app.ts'
import type { PartnerGateway } from './partner.gateway.ts'
import { partnerRoutes } from './partner.routes.ts'
import { createPartner } from './partner.service.ts'
import { createPartnerStore } from './partner.store.ts'

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

/** The partner: it counts what it is asked, can be down, and can be made to think until it is told to answer. */
function partnerDouble() {
  const state = { isDown: false, centers: [center], agents: [agent], asked: { centers: 0, agents: 0 } }
  let gate: Promise<void> = Promise.resolve()
  async function answer<T>(kind: 'centers' | 'agents', rows: () => T[]): Promise<T[]> {
    state.asked[kind] += 1
    await gate
    if (state.isDown) throw new Unreachable('GET /api/lookup', true)
    return rows()
  }
  const gateway: PartnerGateway = {
    fetchCenters: () => answer('centers', () => state.centers),
    fetchAgents: () => answer('agents', () => state.agents),
  }
  /** From now on the partner thinks; the function it returns lets it answer. */
  function think(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return resolve
  }
  return { gateway, state, think }
}

interface Parts {
  partner?: ReturnType<typeof partnerDouble>
  database?: Database
  clock?: ManualClock
}

/** A gateway process; opening a second one on the same database is a restart. */
async function openRoom({ partner = partnerDouble(), clock = manualClock(), ...parts }: Parts = {}) {
  const database = parts.database ?? (await openMemory())
  const service = createPartner({
    gateway: partner.gateway,
    store: createPartnerStore(database),
    clock,
    log: silentLog,
  })
  const app = await openRoomApp((room) => partnerRoutes(room, headerScope, service))
  return { browser: openBrowser(app), partner, clock, database, service }
}

const centersPath = '/api/partner/centers'
const agentsPath = '/api/partner/agents'

/** Lets what was begun in the background come to its end. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the partner’s lists', () => {
  it('are what the partner says', async () => {
    const { browser } = await openRoom()
    expect((await browser.get(centersPath)).json).toEqual({ success: true, centers: [center] })
    expect((await browser.get(agentsPath)).json).toEqual({ success: true, agents: [agent] })
  })

  it('are asked for once by twenty visitors who come at once', async () => {
    const { browser, partner } = await openRoom()
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.get(centersPath)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(partner.state.asked).toEqual({ centers: 1, agents: 0 })
  })

  it('are asked for again after five minutes, and not before', async () => {
    const { browser, partner, clock } = await openRoom()
    await browser.get(centersPath)
    clock.advance(5 * minute - 1)
    await browser.get(centersPath)
    expect(partner.state.asked.centers).toBe(1)
    clock.advance(1)
    await browser.get(centersPath)
    await settle()
    expect(partner.state.asked.centers).toBe(2)
  })

  it('are served from the copy at hand while the partner thinks', async () => {
    const { browser, partner, clock } = await openRoom()
    await browser.get(centersPath)
    clock.advance(5 * minute)
    const answerNow = partner.think()
    partner.state.centers = [{ ...center, code: '2' }]
    expect((await browser.get(centersPath)).json.centers).toEqual([center])
    answerNow()
    await settle()
    expect((await browser.get(centersPath)).json.centers).toEqual([{ ...center, code: '2' }])
    expect(partner.state.asked.centers).toBe(2)
  })

  it('go on being served, marked stale, while the partner is down', async () => {
    const { browser, partner, clock } = await openRoom()
    expect((await browser.get(centersPath)).headers).not.toHaveProperty('warning')
    partner.state.isDown = true
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    const answer = await browser.get(centersPath)
    expect(answer).toMatchObject({ status: 200, json: { centers: [center] } })
    expect(answer.headers.warning).toBe('110 amtiati "Response is Stale"')
  })

  it('leave a partner that is down alone for ten seconds', async () => {
    const { browser, partner, clock } = await openRoom()
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

  it('survive a restart while the partner is down', async () => {
    const before = await openRoom()
    await before.browser.get(centersPath)
    await before.browser.get(agentsPath)
    before.clock.advance(60 * minute)
    before.partner.state.isDown = true
    const after = await openRoom(before)
    const answer = await after.browser.get(centersPath)
    expect(answer).toMatchObject({ status: 200, json: { centers: [center] } })
    expect(answer.headers.warning).toBeDefined()
    expect((await after.browser.get(agentsPath)).json.agents).toEqual([agent])
  })

  it('cannot be had where the partner is down from the start', async () => {
    const partner = partnerDouble()
    partner.state.isDown = true
    const { browser, clock } = await openRoom({ partner })
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

  it('are one list each: one that is down does not hide the other', async () => {
    const { browser, partner } = await openRoom()
    await browser.get(centersPath)
    partner.state.isDown = true
    expect((await browser.get(agentsPath)).status).toBe(503)
    expect((await browser.get(centersPath)).status).toBe(200)
  })
})

describe('a list that the browser has already', () => {
  async function openWithTag() {
    const room = await openRoom()
    const { headers } = await room.browser.get(centersPath)
    return { ...room, etag: String(headers.etag) }
  }

  it('may be kept by every cache, under a strong tag', async () => {
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

  it('is sent when it has changed, and keeps its tag when it has not', async () => {
    const { browser, etag, partner, clock } = await openWithTag()
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    expect((await browser.get(centersPath, { 'if-none-match': etag })).status).toBe(304)
    partner.state.centers = []
    clock.advance(5 * minute)
    await browser.get(centersPath)
    await settle()
    const answer = await browser.get(centersPath, { 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 200, json: { centers: [] } })
    expect(answer.headers.etag).not.toBe(etag)
  })

  it('has the same tag after a restart', async () => {
    const { etag, ...room } = await openWithTag()
    const after = await openRoom(room)
    expect((await after.browser.get(centersPath)).headers.etag).toBe(etag)
  })
})

describe('finding', () => {
  it('knows branches by code and agents by id', async () => {
    const { service } = await openRoom()
    expect(await service.findCenter('1')).toEqual(center)
    expect(await service.findCenter('2')).toBeUndefined()
    expect(await service.findAgent('A01')).toEqual(agent)
    expect(await service.findAgent('a01')).toBeUndefined()
  })

  it('knows an agent by the phone, however the directory writes it', async () => {
    const { service, partner } = await openRoom()
    partner.state.agents = [{ ...agent, id: 'A00', phone: 'unknown' }, agent]
    expect(await service.findAgentByPhone('+966500000101')).toEqual(agent)
    expect(await service.findAgentByPhone('+966500000102')).toBeUndefined()
  })

  it('does not take "the directory is down" for "no such agent"', async () => {
    const partner = partnerDouble()
    partner.state.isDown = true
    const { service } = await openRoom({ partner })
    const error = await service.findAgentByPhone('+966500000101').catch((thrown: unknown) => thrown)
    expect(isFailure(error, 'AGENTS_UNAVAILABLE')).toBe(true)
  })
})

describe('warmUp', () => {
  it('fetches both lists and throws nothing when the partner is down', async () => {
    const { service, partner } = await openRoom()
    partner.state.isDown = true
    await service.warmUp()
    expect(partner.state.asked).toEqual({ centers: 1, agents: 1 })
  })
})
