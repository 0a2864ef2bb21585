import { describe, expect, it } from 'vitest'
import { isFailure } from '#server/platform/errors.ts'
import { createExternalService } from '#server/platform/external-service.ts'
import { openStubService, type Reply, sampleOf } from '#test/kit/gateway/stub-service.ts'
import { createOtpProvider } from './otp.provider.http.ts'
import type { CodeOrder } from './otp.provider.ts'

const ref = 'VE0123456789abcdef0123456789abcdef'
const phone = '+966500000001'
const userService = 'VA00000000000000000000000000000001'

function gatewayAt(baseUrl: string) {
  const account = {
    baseUrl,
    accountSid: 'AC1',
    authToken: 'secret',
    services: { user: userService, agent: 'VA-agent' },
  }
  return createOtpProvider(account, {
    sms: createExternalService('otp'),
    whatsapp: createExternalService('otp_whatsapp'),
    call: createExternalService('otp_call'),
    email: createExternalService('otp_email'),
    delivery: createExternalService('otp_delivery'),
  })
}

async function openGateway(...replies: Reply[]) {
  const service = await openStubService()
  service.replies(...replies)
  return { service, gateway: gatewayAt(`${service.url}/v2`) }
}

const order = (change: Partial<CodeOrder> = {}): CodeOrder => ({
  to: phone,
  channel: 'sms',
  language: 'ar',
  role: 'user',
  ...change,
})
const fieldsOf = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body))
const headers = {
  accept: 'application/json',
  'content-type': 'application/x-www-form-urlencoded',
  // user AC1, password secret
  authorization: 'Basic QUMxOnNlY3JldA==',
}
const sent = { status: 201, json: sampleOf('otp', 'verification.pending') }

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isFailure(error)) throw new Error(`expected a failure, got ${String(error)}`)
  return error.code
}

describe('send', () => {
  it.each([
    ['user', `/v2/Services/${userService}/Verifications`],
    ['agent', '/v2/Services/VA-agent/Verifications'],
  ] as const)('requests an SMS in the given language of the service of the role: %s', async (role, path) => {
    const { service, gateway } = await openGateway(sent)
    expect(await gateway.send(order({ role }))).toEqual({ outcome: 'sent', ref })
    expect(service.requests).toEqual([{ method: 'POST', path, headers, body: expect.any(String) }])
    expect(fieldsOf(service.requests[0]?.body)).toEqual(sampleOf('otp', 'verification-request.sms'))
  })

  it('requests a letter in the given language, which its template reads', async () => {
    const { service, gateway } = await openGateway(sent)
    await gateway.send(order({ channel: 'email', to: 'maryam@example.com' }))
    expect(fieldsOf(service.requests[0]?.body)).toEqual(sampleOf('otp', 'verification-request.email'))
  })

  it('requests again without a language when the provider does not support it', async () => {
    const notFound = { status: 404, json: sampleOf('otp', 'otp-error.not-found') }
    const { service, gateway } = await openGateway(notFound, sent)
    expect(await gateway.send(order())).toEqual({ outcome: 'sent', ref })
    expect(service.requests.map(({ body }) => fieldsOf(body))).toEqual([
      { To: phone, Channel: 'sms', Locale: 'ar' },
      { To: phone, Channel: 'sms' },
    ])
  })

  it.each(['sms', 'whatsapp', 'call'] as const)(
    'names the channel %s, and leaves the language of a foreign number to the provider',
    async (channel) => {
      const { service, gateway } = await openGateway(sent, sent)
      await gateway.send(order({ channel, language: 'en' }))
      await gateway.send(order({ channel, to: '+6281234567890' }))
      expect(service.requests.map(({ body }) => fieldsOf(body))).toEqual([
        { To: phone, Channel: channel, Locale: 'en' },
        { To: '+6281234567890', Channel: channel },
      ])
    },
  )

  it.each<[string, boolean, Reply[]]>([
    ['a 500', true, [{ status: 500, json: { code: 20500, message: 'oops', status: 500 } }]],
    ['success that is no JSON', false, [{ status: 200, text: 'OK' }]],
    [
      'a service that does not exist',
      true,
      [
        { status: 404, json: {} },
        { status: 404, json: {} },
      ],
    ],
    ['a connection that breaks', false, ['reset']],
  ])('is unavailable after %s; that no code was sent is certain: %s', async (_, isCertain, replies) => {
    const { service, gateway } = await openGateway(...replies)
    expect(await gateway.send(order())).toMatchObject({ outcome: 'unavailable', isCertain })
    expect(service.requests).toHaveLength(replies.length)
  })

  it.each(['whatsapp', 'call', 'email'] as const)(
    'is open for other channels while %s is down',
    async (channel) => {
      const { service, gateway } = await openGateway()
      const path = `/v2/Services/${userService}/Verifications`
      service.always(path, { status: 503, json: {} })
      for (let round = 0; round < 12; round += 1) await gateway.send(order({ channel }))
      // Its circuit is open, for phones that are no agent's too.
      expect(service.requests.length).toBeLessThan(12)
      expect(await gateway.pretendSend('agent', channel)).toMatchObject({ outcome: 'unavailable' })
      service.always(path, sent)
      expect(await gateway.send(order())).toEqual({ outcome: 'sent', ref })
    },
  )
})

describe('cancel', () => {
  const canceled = { status: 200, json: sampleOf('otp', 'verification.canceled') }

  it('cancels the verification by its reference', async () => {
    const { service, gateway } = await openGateway(canceled)
    expect(await gateway.cancel(ref, 'agent')).toBe(true)
    expect(service.requests).toEqual([
      {
        method: 'POST',
        path: `/v2/Services/VA-agent/Verifications/${ref}`,
        headers,
        body: expect.any(String),
      },
    ])
    expect(fieldsOf(service.requests[0]?.body)).toEqual(sampleOf('otp', 'verification-update-request.cancel'))
  })

  it.each<[string, boolean, Reply]>([
    ['a verification that is gone', true, { status: 404, json: sampleOf('otp', 'otp-error.not-found') }],
    ['a 500', false, { status: 500, json: {} }],
    ['a refusal', false, { status: 429, json: sampleOf('otp', 'otp-error.too-many-requests') }],
    ['a connection that breaks', false, 'reset'],
  ])('after %s returns %s and does not throw', async (_, isEnded, reply) => {
    const { gateway } = await openGateway(reply)
    expect(await gateway.cancel(ref, 'user')).toBe(isEnded)
  })
})

describe('readDelivery', () => {
  it('asks for the attempts by SMS of the verification, once', async () => {
    const json = sampleOf('otp', 'verification-attempts.undelivered')
    const { service, gateway } = await openGateway({ status: 200, json })
    expect(await gateway.readDelivery(ref)).toBe('undelivered')
    expect(service.requests).toMatchObject([
      { method: 'GET', path: `/v2/Attempts?VerificationSid=${ref}&Channel=sms` },
    ])
  })

  it('keeps no code from being sent while it fails', async () => {
    const { service, gateway } = await openGateway(sent)
    service.always(`/v2/Attempts?VerificationSid=${ref}&Channel=sms`, { status: 500, json: {} })
    for (let round = 0; round < 30; round += 1) expect(await gateway.readDelivery(ref)).toBe('unknown')
    // Its circuit is open.
    expect(service.requests.length).toBeLessThan(30)
    expect(await gateway.send(order())).toEqual({ outcome: 'sent', ref })
  })
})

describe('pretendSend', () => {
  const unknown = { status: 404, json: sampleOf('otp', 'otp-error.not-found') }

  it('requests an unknown verification, another one each time, and names no phone', async () => {
    const { service, gateway } = await openGateway(unknown, unknown)
    expect(await gateway.pretendSend('agent', 'sms')).toEqual({ outcome: 'suppressed' })
    await gateway.pretendSend('agent', 'sms')
    const paths = service.requests.map(({ path }) => path)
    for (const path of paths)
      expect(path).toMatch(/^\/v2\/Services\/VA-agent\/Verifications\/VE[0-9a-f]{32}$/)
    expect(new Set(paths).size).toBe(2)
    expect(service.requests[0]).toMatchObject({ method: 'GET' })
  })

  it('reports the same outages as a send', async () => {
    const { gateway } = await openGateway('reset')
    expect(await gateway.pretendSend('agent', 'sms')).toMatchObject({
      outcome: 'unavailable',
      isCertain: false,
    })
  })
})

describe('pretendCheck', () => {
  it('checks an unknown verification, and returns nothing, even for an approval', async () => {
    const approved = { status: 200, json: sampleOf('otp', 'verification-check.approved') }
    const { service, gateway } = await openGateway(approved)
    expect(await gateway.pretendCheck('1234', 'agent')).toBeUndefined()
    expect(service.requests).toMatchObject([
      { method: 'POST', path: '/v2/Services/VA-agent/VerificationCheck' },
    ])
    expect(fieldsOf(service.requests[0]?.body)).toEqual({
      VerificationSid: expect.stringMatching(/^VE[0-9a-f]{32}$/),
      Code: '1234',
    })
  })

  it('reports the same outages as a check', async () => {
    const { gateway } = await openGateway('reset')
    expect(await codeOf(gateway.pretendCheck('1234', 'agent'))).toBe('OTP_UNAVAILABLE')
  })
})

describe('check', () => {
  const approved = { status: 200, json: sampleOf('otp', 'verification-check.approved') }

  it.each([
    ['user', `/v2/Services/${userService}/VerificationCheck`, 'approved'],
    // The approval is of the other service.
    ['agent', '/v2/Services/VA-agent/VerificationCheck', 'expired'],
  ] as const)(
    'sends verification and code to the service of the role, and not the phone: %s',
    async (role, path, outcome) => {
      const { service, gateway } = await openGateway(approved)
      expect(await gateway.check({ ref, to: phone, role }, '1234')).toBe(outcome)
      expect(service.requests).toEqual([{ method: 'POST', path, headers, body: expect.any(String) }])
      expect(fieldsOf(service.requests[0]?.body)).toEqual(
        sampleOf('otp', 'verification-check-request.by-sid'),
      )
    },
  )

  it.each<[string, Reply]>([
    ['a 500', { status: 500, json: { status: 'approved' } }],
    ['success that is no JSON', { status: 200, text: 'approved' }],
    ['a redirect', { status: 302, json: sampleOf('otp', 'verification-check.approved') }],
    ['a connection that breaks', 'reset'],
  ])('never approves after %s', async (_, reply) => {
    const { service, gateway } = await openGateway(reply)
    expect(await codeOf(gateway.check({ ref, to: phone, role: 'user' }, '1234'))).toBe('OTP_UNAVAILABLE')
    expect(service.requests).toHaveLength(1)
  })

  it('does not read a response beyond the size limit', async () => {
    const json = { ...sampleOf('otp', 'verification-check.approved'), padding: 'x'.repeat(70_000) }
    const { gateway } = await openGateway({ status: 200, json })
    expect(await codeOf(gateway.check({ ref, to: phone, role: 'user' }, '1234'))).toBe('OTP_UNAVAILABLE')
  })
})
