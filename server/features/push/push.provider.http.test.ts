import { createECDH } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ExternalService } from '#server/platform/external-service.ts'
import type { HttpRequest, HttpResponse } from '#server/platform/http-client.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import { decryptPush, readVapid, rfcReader, rfcSender } from '#test/kit/gateway/web-push.ts'
import { createPushProvider } from './push.provider.http.ts'
import { type PushServiceName, pushServices } from './push.rules.ts'

const subject = 'mailto:care@amtiati.example'
const endpoint = 'https://fcm.googleapis.com/fcm/send/one'
const { p256dh, auth } = rfcReader
const address = { endpoint, p256dh, auth }
const message = { text: '{"title":"أمتعتي"}', topic: 'o42-7', lifeMs: 3_600_500 }

/** The push services; each request is kept with the name of the service. */
function stubServices(answer: HttpResponse | Error) {
  const requests: (HttpRequest & { service: PushServiceName })[] = []
  const serviceOf = (service: PushServiceName): ExternalService => ({
    async request(request) {
      requests.push({ ...request, service })
      if (answer instanceof Error) throw answer
      return answer
    },
    async read() {
      throw new Error('a push is never repeated')
    },
  })
  const services = Object.fromEntries(pushServices.map((name) => [name, serviceOf(name)])) as Record<
    PushServiceName,
    ExternalService
  >
  return { provider: createPushProvider({ privateKey: rfcSender.privateKey, subject }, services), requests }
}

const created: HttpResponse = { status: 201, body: undefined }
const outcomeWith = (answer: HttpResponse | Error) => stubServices(answer).provider.send(address, message)

describe('the decoder of these tests', () => {
  it('reads the example of RFC 8291', () => {
    const example =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
    expect(decryptPush(Buffer.from(example, 'base64url'), rfcReader)).toBe(
      'When I grow up, I want to be a watermelon',
    )
  })
})

describe('a push', () => {
  it('is encrypted for the browser, signed for its service, and says how long it is worth sending', async () => {
    const { provider, requests } = stubServices(created)
    expect(await provider.send(address, message)).toEqual({ outcome: 'accepted' })
    const [request] = requests
    expect(request).toMatchObject({ service: 'google', method: 'POST', url: endpoint })
    expect(request?.headers).toMatchObject({
      ttl: '3600',
      urgency: 'high',
      topic: 'o42-7',
      'content-encoding': 'aes128gcm',
    })
    expect(decryptPush(request?.bytes ?? new Uint8Array(), rfcReader)).toBe(message.text)
    expect(Buffer.from(request?.bytes ?? []).toString('utf8')).not.toContain('title')
    const { key, claims } = readVapid(request?.headers?.authorization ?? '')
    expect(key).toBe(rfcSender.publicKey)
    expect(claims).toMatchObject({ aud: 'https://fcm.googleapis.com', sub: subject })
    expect(claims.exp * 1_000).toBeGreaterThan(Date.now())
    expect(claims.exp * 1_000).toBeLessThanOrEqual(Date.now() + 24 * 60 * 60_000)
  })

  it('is 103 bytes longer than its text, so that no service cuts it', async () => {
    const { provider, requests } = stubServices(created)
    await provider.send(address, { ...message, text: 'x'.repeat(2_000) })
    expect(requests[0]?.bytes?.byteLength).toBe(2_103)
  })

  it('goes to no other host, whatever the row says', async () => {
    const { provider, requests } = stubServices(created)
    for (const host of ['http://fcm.googleapis.com/x', 'https://127.0.0.1/x', 'https://push.example/x'])
      expect(await provider.send({ ...address, endpoint: host }, message)).toEqual({ outcome: 'gone' })
    expect(requests).toEqual([])
  })

  it.each([
    ['another curve point length', `${p256dh.slice(0, -4)}`, auth],
    ['a point beside the curve', `B${'A'.repeat(86)}`, auth],
    ['a short secret', p256dh, 'AAAA'],
  ])('to keys that are none ends the subscription: %s', async (_, key, secret) => {
    const { provider, requests } = stubServices(created)
    expect(await provider.send({ endpoint, p256dh: key, auth: secret }, message)).toEqual({ outcome: 'gone' })
    expect(requests).toEqual([])
  })

  it('can be read by no other browser', async () => {
    const { provider, requests } = stubServices(created)
    await provider.send(address, message)
    const other = createECDH('prime256v1')
    other.generateKeys()
    const privateKey = other.getPrivateKey('base64url')
    expect(() => decryptPush(requests[0]?.bytes ?? new Uint8Array(), { ...rfcReader, privateKey })).toThrow()
  })
})

describe('an answer', () => {
  it.each([
    [201, undefined, { outcome: 'accepted' }],
    [204, undefined, { outcome: 'accepted' }],
    [404, undefined, { outcome: 'gone' }],
    [410, undefined, { outcome: 'gone' }],
    [413, undefined, { outcome: 'too-long' }],
    [429, '120', { outcome: 'busy', waitMs: 120_000 }],
    [429, undefined, { outcome: 'busy', waitMs: 60_000 }],
    [429, 'Wed, 21 Oct 2026 07:28:00 GMT', { outcome: 'busy', waitMs: 60_000 }],
    [429, '999999', { outcome: 'busy', waitMs: 900_000 }],
    [400, undefined, { outcome: 'refused' }],
    [403, undefined, { outcome: 'refused' }],
    [408, undefined, { outcome: 'uncertain' }],
    [500, undefined, { outcome: 'uncertain' }],
    [503, '5', { outcome: 'uncertain' }],
  ])('%i with Retry-After %s', async (status, retryAfter, outcome) => {
    const answer = { status, body: undefined, ...(retryAfter === undefined ? {} : { retryAfter }) }
    expect(await outcomeWith(answer)).toEqual(outcome)
  })

  it('that is lost leaves open whether the service has the message', async () => {
    expect(await outcomeWith(new OutcomeUnknownError('timeout'))).toEqual({ outcome: 'uncertain' })
  })

  it('that cannot come, because there was no connection, allows another try', async () => {
    const outcome = { outcome: 'unreachable', waitMs: 60_000 }
    expect(await outcomeWith(new UnreachableError('refused'))).toEqual(outcome)
  })
})
