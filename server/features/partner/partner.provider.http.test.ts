import { describe, expect, it } from 'vitest'
import { createExternalService } from '#server/platform/external-service.ts'
import { openStubService, type Reply, sampleOf } from '#test/kit/gateway/stub-service.ts'
import { createPartnerProvider } from './partner.provider.http.ts'
import { PartnerAnswerError } from './partner.provider.ts'

const offices = { status: 200, json: sampleOf('shipping', 'offices') }
const cities = { status: 200, json: sampleOf('shipping', 'cities') }
const agents = { status: 200, json: sampleOf('shipping', 'agents') }

const officesPath = '/api/lookup/smsaoffices'
const citiesPath = '/api/lookup/cities/SA'
const agentsPath = '/directory/agents'

/** One reply per path for any number of requests: they run in parallel and are retried. */
async function openGateway(change: Record<string, Reply> = {}) {
  const service = await openStubService()
  const replies = { [officesPath]: offices, [citiesPath]: cities, [agentsPath]: agents, ...change }
  for (const [path, reply] of Object.entries(replies)) service.always(path, reply)
  const account = { baseUrl: service.url, apiKey: 'key-1' }
  return { service, gateway: createPartnerProvider(account, createExternalService('shipping')) }
}

const headers = { accept: 'application/json', apikey: 'key-1' }
const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)

describe('fetchCenters', () => {
  it('requests the offices and the Saudi cities with the key', async () => {
    const { service, gateway } = await openGateway()
    await gateway.fetchCenters()
    expect([...service.requests].sort(byPath)).toEqual([
      { method: 'GET', path: citiesPath, headers, body: '' },
      { method: 'GET', path: officesPath, headers, body: '' },
    ])
  })

  it('reads the stored samples', async () => {
    const { gateway } = await openGateway()
    const { rows, dropped } = await gateway.fetchCenters()
    expect(dropped).toEqual({})
    const day = { days: [0, 1, 2, 3, 4], from: '08:00', to: '23:00' }
    expect(rows).toEqual([
      {
        code: '1',
        addressAR: 'حي السويدي - طريق السويدي العام',
        addressEN: 'Al Sawidi Dist. Al Suwaidi Main St.',
        city: 'Riyadh',
        coordinates: { latitude: 24.598472, longitude: 46.687158 },
        hours: { week: [day] },
      },
      {
        code: '2',
        addressAR: 'الملز - شارع الأحساء',
        addressEN: 'Malaz - Al Ahsa St.',
        city: 'Riyadh',
        coordinates: { latitude: 24.694371, longitude: 46.732012 },
        hours: { week: [day, { days: [5, 6], from: '16:00', to: '20:00' }] },
      },
    ])
  })

  const problem = sampleOf('shipping', 'partner-problem')
  it.each<[string, Record<string, Reply>]>([
    ['a missing key', { [officesPath]: { status: 401, json: problem } }],
    ['a 500 for the cities', { [citiesPath]: { status: 500, json: problem } }],
    ['no JSON', { [officesPath]: { status: 200, text: 'maintenance' } }],
  ])('gives no part of a list after %s', async (_, change) => {
    const { gateway } = await openGateway(change)
    await expect(gateway.fetchCenters()).rejects.toBeInstanceOf(PartnerAnswerError)
  })
})

describe('fetchAgents', () => {
  it('requests the directory with the key', async () => {
    const { service, gateway } = await openGateway()
    await gateway.fetchAgents()
    expect(service.requests).toEqual([{ method: 'GET', path: '/directory/agents', headers, body: '' }])
  })

  it('reads the stored sample', async () => {
    const { gateway } = await openGateway()
    const { rows, dropped } = await gateway.fetchAgents()
    expect(dropped).toEqual({})
    expect(rows).toEqual([
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

  it.each<[string, Reply]>([
    ['a missing key', { status: 401, json: sampleOf('shipping', 'partner-problem') }],
    ['no JSON', { status: 200, text: '' }],
  ])('gives no part of a list after %s', async (_, reply) => {
    const { gateway } = await openGateway({ [agentsPath]: reply })
    await expect(gateway.fetchAgents()).rejects.toBeInstanceOf(PartnerAnswerError)
  })

  it('names the path and the status, and not the key', async () => {
    const { gateway } = await openGateway({ [agentsPath]: { status: 401, json: {} } })
    await expect(gateway.fetchAgents()).rejects.toThrow('the partner answered 401 to /directory/agents')
  })
})
