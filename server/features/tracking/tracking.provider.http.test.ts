import { describe, expect, it } from 'vitest'
import { createExternalService } from '#server/platform/external-service.ts'
import { openStubService, type Reply, sampleOf } from '#test/kit/gateway/stub-service.ts'
import { createTrackingProvider } from './tracking.provider.http.ts'
import { TrackingRefusal } from './tracking.provider.ts'

async function open(...replies: Reply[]) {
  const service = await openStubService()
  service.replies(...replies)
  const provider = createTrackingProvider(
    { baseUrl: service.url, apiKey: 'key-1' },
    createExternalService('tracking'),
  )
  return { service, provider }
}

describe('bulk tracking', () => {
  it('sends all numbers in one call with the key', async () => {
    const { service, provider } = await open({ status: 200, json: sampleOf('tracking', 'push.delivered') })
    const report = await provider.track(['231200021000', '231200022222'])
    expect(report.shipments).toHaveLength(1)
    expect(service.requests).toEqual([
      {
        method: 'POST',
        path: '/api/track/bulk/',
        headers: { accept: 'application/json', apikey: 'key-1', 'content-type': 'application/json' },
        body: '["231200021000","231200022222"]',
      },
    ])
  })

  it.each<[string, Reply]>([
    ['a refusal', { status: 400, json: sampleOf('shipping', 'validation-problem') }],
    ['a failure', { status: 503, text: 'no' }],
    ['a page', { status: 200, text: '<html>' }],
    ['an object of another kind', { status: 200, json: { errors: {} } }],
  ])('takes %s for no report, and does not ask again', async (_, reply) => {
    const { service, provider } = await open(reply)
    await expect(provider.track(['231200021000'])).rejects.toBeInstanceOf(TrackingRefusal)
    expect(service.requests).toHaveLength(1)
  })
})

it('the texts of codes are asked for with the key', async () => {
  const { service, provider } = await open({ status: 200, json: sampleOf('tracking', 'statuses') })
  expect((await provider.readTexts()).map(({ code }) => code)).toContain('DL')
  expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/api/track/statuslookup' })
})
