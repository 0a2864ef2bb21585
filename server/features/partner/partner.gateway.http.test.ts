import { describe, expect, it } from 'vitest'
import { createOutsider } from '#server/platform/outsider.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { nobodyThere, openOutsider, type Reply, sampleOf } from '#test/kit/outsider.ts'
import { createPartnerGateway } from './partner.gateway.http.ts'
import { PartnerAnswerError } from './partner.gateway.ts'

const offices = { status: 200, json: sampleOf('shipping', 'offices') }
const cities = { status: 200, json: sampleOf('shipping', 'cities') }
const agents = { status: 200, json: sampleOf('shipping', 'agents') }

const officesPath = '/api/lookup/smsaoffices'
const citiesPath = '/api/lookup/cities/SA'
const agentsPath = '/directory/agents'

const gatewayAt = (baseUrl: string) =>
  createPartnerGateway({ baseUrl, apiKey: 'key-1' }, createOutsider('shipping'))

/** The questions go out side by side and are repeated when they fail: each path has one reply, however often. */
async function openGateway(change: Record<string, Reply> = {}) {
  const outsider = await openOutsider()
  const replies = { [officesPath]: offices, [citiesPath]: cities, [agentsPath]: agents, ...change }
  for (const [path, reply] of Object.entries(replies)) outsider.always(path, reply)
  return { outsider, gateway: gatewayAt(outsider.url) }
}

const headers = { accept: 'application/json', apikey: 'key-1' }
const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)

describe('fetchCenters', () => {
  it('asks for the offices and for the Saudi cities, with nothing but the key', async () => {
    const { outsider, gateway } = await openGateway()
    await gateway.fetchCenters()
    expect([...outsider.heard].sort(byPath)).toEqual([
      { method: 'GET', path: citiesPath, headers, body: '' },
      { method: 'GET', path: officesPath, headers, body: '' },
    ])
  })

  it('reads the stored samples', async () => {
    const { gateway } = await openGateway()
    expect(await gateway.fetchCenters()).toEqual([
      {
        code: '1',
        addressAR: 'حي السويدي - طريق السويدي العام',
        addressEN: 'Al Sawidi Dist. Al Suwaidi Main St.',
        city: 'Riyadh',
        coordinates: { latitude: 24.598472, longitude: 46.687158 },
      },
      {
        code: '2',
        addressAR: 'الملز - شارع الأحساء',
        addressEN: 'Malaz - Al Ahsa St.',
        city: 'Riyadh',
        coordinates: { latitude: 24.694371, longitude: 46.732012 },
      },
    ])
  })

  const problem = sampleOf('shipping', 'partner-problem')
  it.each<[string, Record<string, Reply>, typeof PartnerAnswerError | typeof Unreachable]>([
    ['a missing key', { [officesPath]: { status: 401, json: problem } }, PartnerAnswerError],
    ['a 500 for the cities', { [citiesPath]: { status: 500, json: problem } }, PartnerAnswerError],
    ['no JSON', { [officesPath]: { status: 200, text: 'maintenance' } }, PartnerAnswerError],
    ['a list of something else', { [citiesPath]: { status: 200, json: [{ id: 1 }] } }, PartnerAnswerError],
    [
      'one bad row',
      { [officesPath]: { status: 200, json: [...offices.json, { code: 7 }] } },
      PartnerAnswerError,
    ],
    ['a broken connection', { [officesPath]: 'reset' }, Unreachable],
  ])('gives no part of a list after %s', async (_, change, kind) => {
    const { gateway } = await openGateway(change)
    await expect(gateway.fetchCenters()).rejects.toBeInstanceOf(kind)
  })
})

describe('fetchAgents', () => {
  it('asks for the directory, with nothing but the key', async () => {
    const { outsider, gateway } = await openGateway()
    await gateway.fetchAgents()
    expect(outsider.heard).toEqual([{ method: 'GET', path: '/directory/agents', headers, body: '' }])
  })

  it('reads the stored sample', async () => {
    const { gateway } = await openGateway()
    expect(await gateway.fetchAgents()).toEqual([
      {
        id: 'A01',
        name: 'وكيل منى 1 · Mina Agent 1',
        address: 'جهة الجمرات، مخيم 14، منى · Jamarat side, camp 14, Mina',
        city: 'Mina',
        phone: '+966500000101',
        coordinates: { latitude: 21.4198, longitude: 39.8774 },
      },
      {
        id: 'A20',
        name: 'وكيل مكة 8 · Makkah Agent 8',
        address: 'حي الششة، محل 31، مكة المكرمة · Ash Shishah, shop 31, Makkah',
        city: 'Makkah',
        phone: '+966500000120',
        coordinates: null,
      },
    ])
  })

  it.each<[string, Reply, typeof PartnerAnswerError | typeof Unreachable]>([
    ['a missing key', { status: 401, json: sampleOf('shipping', 'partner-problem') }, PartnerAnswerError],
    ['no JSON', { status: 200, text: '' }, PartnerAnswerError],
    [
      'an agent without a phone',
      { status: 200, json: [{ ...agents.json[0], phone: undefined }] },
      PartnerAnswerError,
    ],
    ['a broken connection', 'reset', Unreachable],
  ])('gives no part of a list after %s', async (_, reply, kind) => {
    const { gateway } = await openGateway({ [agentsPath]: reply })
    await expect(gateway.fetchAgents()).rejects.toBeInstanceOf(kind)
  })

  it('says so when nobody is there', async () => {
    const gateway = gatewayAt(await nobodyThere())
    await expect(gateway.fetchAgents()).rejects.toBeInstanceOf(Unreachable)
  })

  it('names what was asked and the status, and not the key', async () => {
    const { gateway } = await openGateway({ [agentsPath]: { status: 401, json: {} } })
    await expect(gateway.fetchAgents()).rejects.toThrow('the partner answered 401 to /directory/agents')
  })
})
