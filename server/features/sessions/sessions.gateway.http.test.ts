import { describe, expect, it } from 'vitest'
import { isFailure } from '#server/platform/errors.ts'
import { createOutsider } from '#server/platform/outsider.ts'
import { nobodyThere, openOutsider, type Reply, sampleOf } from '#test/kit/outsider.ts'
import { createOtpGateway } from './sessions.gateway.http.ts'

const ref = 'VE0123456789abcdef0123456789abcdef'
const phone = '+966500000001'

function gatewayAt(baseUrl: string) {
  const account = {
    baseUrl,
    accountSid: 'AC1',
    authToken: 'secret',
    services: { user: 'VA-user', agent: 'VA-agent' },
  }
  return createOtpGateway(account, createOutsider('otp'))
}

async function openGateway(...replies: Reply[]) {
  const outsider = await openOutsider()
  outsider.replies(...replies)
  return { outsider, gateway: gatewayAt(`${outsider.url}/v2`) }
}

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
  it('asks for an SMS in the language of the caller, and for nothing else', async () => {
    const { outsider, gateway } = await openGateway(sent)
    await gateway.send(phone, 'ar', 'user')
    expect(fieldsOf(outsider.heard[0]?.body)).toEqual(sampleOf('otp', 'verification-request.sms'))
  })

  it.each([
    ['user', '/v2/Services/VA-user/Verifications'],
    ['agent', '/v2/Services/VA-agent/Verifications'],
  ] as const)('asks the service of the audience: %s', async (audience, path) => {
    const { outsider, gateway } = await openGateway(sent)
    await gateway.send(phone, 'en', audience)
    expect(outsider.heard).toEqual([{ method: 'POST', path, headers, body: expect.any(String) }])
  })

  it('answers the reference of the verification', async () => {
    const { gateway } = await openGateway(sent)
    expect(await gateway.send(phone, 'ar', 'user')).toEqual({ outcome: 'sent', ref })
  })

  it('asks again without a language when the provider does not speak it', async () => {
    const notFound = { status: 404, json: sampleOf('otp', 'otp-error.not-found') }
    const { outsider, gateway } = await openGateway(notFound, sent)
    expect(await gateway.send(phone, 'ar', 'user')).toEqual({ outcome: 'sent', ref })
    expect(outsider.heard.map(({ body }) => fieldsOf(body))).toEqual([
      { To: phone, Channel: 'sms', Locale: 'ar' },
      { To: phone, Channel: 'sms' },
    ])
  })

  it.each([
    ['otp-error.invalid-parameter', 400, 'phone-refused'],
    ['otp-error.country-blocked', 403, 'phone-refused'],
    ['otp-error.max-sends', 429, 'too-many'],
    ['otp-error.too-many-requests', 429, 'too-many'],
  ])('reads %s as %s %s', async (sample, status, outcome) => {
    const { gateway } = await openGateway({ status, json: sampleOf('otp', sample) })
    expect(await gateway.send(phone, 'ar', 'user')).toEqual({ outcome })
  })

  it.each<[string, boolean, Reply[]]>([
    ['a 500', true, [{ status: 500, json: { code: 20500, message: 'oops', status: 500 } }]],
    ['a 401', true, [{ status: 401, json: { code: 20003, message: 'Authenticate', status: 401 } }]],
    ['a proxy that lost the service', false, [{ status: 502, text: 'Bad Gateway' }]],
    ['a proxy that waited in vain', false, [{ status: 504, text: 'Gateway Timeout' }]],
    ['success without a verification', false, [{ status: 201, json: { status: 'pending' } }]],
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
  ])('is unavailable after %s; that nothing went out is sure: %s', async (_, isCertain, replies) => {
    const { outsider, gateway } = await openGateway(...replies)
    expect(await gateway.send(phone, 'ar', 'user')).toMatchObject({ outcome: 'unavailable', isCertain })
    expect(outsider.heard).toHaveLength(replies.length)
  })

  it('is unavailable when nobody is there, and surely sent nothing', async () => {
    const gateway = gatewayAt(await nobodyThere())
    expect(await gateway.send(phone, 'ar', 'user')).toMatchObject({ outcome: 'unavailable', isCertain: true })
  })
})

describe('cancel', () => {
  const canceled = { status: 200, json: sampleOf('otp', 'verification.canceled') }

  it('ends the verification by its name', async () => {
    const { outsider, gateway } = await openGateway(canceled)
    expect(await gateway.cancel(ref, 'agent')).toBe(true)
    expect(outsider.heard).toEqual([
      {
        method: 'POST',
        path: `/v2/Services/VA-agent/Verifications/${ref}`,
        headers,
        body: expect.any(String),
      },
    ])
    expect(fieldsOf(outsider.heard[0]?.body)).toEqual(sampleOf('otp', 'verification-update-request.cancel'))
  })

  it.each<[string, boolean, Reply]>([
    ['a verification that is gone', true, { status: 404, json: sampleOf('otp', 'otp-error.not-found') }],
    ['a 500', false, { status: 500, json: {} }],
    ['a refusal', false, { status: 429, json: sampleOf('otp', 'otp-error.too-many-requests') }],
    ['a connection that breaks', false, 'reset'],
  ])('after %s says %s and throws nothing', async (_, isEnded, reply) => {
    const { gateway } = await openGateway(reply)
    expect(await gateway.cancel(ref, 'user')).toBe(isEnded)
  })
})

describe('pretendSend', () => {
  const unknown = { status: 404, json: sampleOf('otp', 'otp-error.not-found') }

  it('asks for a verification that never was, another one each time, and names no phone', async () => {
    const { outsider, gateway } = await openGateway(unknown, unknown)
    expect(await gateway.pretendSend('agent')).toEqual({ outcome: 'suppressed' })
    await gateway.pretendSend('agent')
    const paths = outsider.heard.map(({ path }) => path)
    for (const path of paths)
      expect(path).toMatch(/^\/v2\/Services\/VA-agent\/Verifications\/VE[0-9a-f]{32}$/)
    expect(new Set(paths).size).toBe(2)
    expect(outsider.heard[0]).toMatchObject({ method: 'GET' })
  })

  it.each<[string, object, Reply]>([
    [
      'too many requests',
      { outcome: 'suppressed' },
      { status: 429, json: sampleOf('otp', 'otp-error.too-many-requests') },
    ],
    ['a 500', { outcome: 'unavailable', isCertain: true }, { status: 500, json: {} }],
    ['a 401', { outcome: 'unavailable', isCertain: true }, { status: 401, json: {} }],
    ['success that is no JSON', { outcome: 'unavailable', isCertain: false }, { status: 200, text: 'OK' }],
    ['a connection that breaks', { outcome: 'unavailable', isCertain: false }, 'reset'],
  ])('meets the same outages as a send: %s', async (_, answer, reply) => {
    const { gateway } = await openGateway(reply)
    expect(await gateway.pretendSend('agent')).toMatchObject(answer)
  })

  it('is unavailable when nobody is there', async () => {
    const gateway = gatewayAt(await nobodyThere())
    expect(await gateway.pretendSend('agent')).toMatchObject({ outcome: 'unavailable', isCertain: true })
  })
})

describe('pretendCheck', () => {
  it('checks a verification that never was', async () => {
    const { outsider, gateway } = await openGateway({
      status: 404,
      json: sampleOf('otp', 'otp-error.not-found'),
    })
    await gateway.pretendCheck('1234', 'agent')
    expect(outsider.heard).toMatchObject([
      { method: 'POST', path: '/v2/Services/VA-agent/VerificationCheck' },
    ])
    expect(fieldsOf(outsider.heard[0]?.body)).toEqual({
      VerificationSid: expect.stringMatching(/^VE[0-9a-f]{32}$/),
      Code: '1234',
    })
  })

  it('gives nothing away, even when the answer is a yes', async () => {
    const { gateway } = await openGateway({
      status: 200,
      json: sampleOf('otp', 'verification-check.approved'),
    })
    expect(await gateway.pretendCheck('1234', 'agent')).toBeUndefined()
  })

  it('is unavailable as a check is', async () => {
    const { gateway } = await openGateway('reset')
    expect(await codeOf(gateway.pretendCheck('1234', 'agent'))).toBe('OTP_UNAVAILABLE')
  })
})

describe('check', () => {
  it.each(['Approved', 'approved ', 'already_approved', 'already verified', 'canceled', 'deleted', ''])(
    'takes the word %j as a no, whatever else it says',
    async (status) => {
      const json = { ...sampleOf('otp', 'verification-check.approved'), status, valid: true }
      const { gateway } = await openGateway({ status: 200, json })
      expect(await gateway.check(ref, '1234', 'user')).not.toBe('approved')
    },
  )
  const approved = { status: 200, json: sampleOf('otp', 'verification-check.approved') }

  it('names the verification and the code, and never the phone', async () => {
    const { outsider, gateway } = await openGateway(approved)
    await gateway.check(ref, '1234', 'user')
    expect(fieldsOf(outsider.heard[0]?.body)).toEqual(sampleOf('otp', 'verification-check-request.by-sid'))
  })

  it.each([
    ['user', '/v2/Services/VA-user/VerificationCheck'],
    ['agent', '/v2/Services/VA-agent/VerificationCheck'],
  ] as const)('asks the service of the audience: %s', async (audience, path) => {
    const { outsider, gateway } = await openGateway(approved)
    await gateway.check(ref, '1234', audience)
    expect(outsider.heard).toEqual([{ method: 'POST', path, headers, body: expect.any(String) }])
  })

  it.each<[string, number]>([
    ['approved', 200],
    ['approved', 201],
  ])('takes %s with %i as a yes', async (status, httpStatus) => {
    const { gateway } = await openGateway({ ...approved, status: httpStatus })
    expect(await gateway.check(ref, '1234', 'user')).toBe(status)
  })

  it('takes a wrong code as a no', async () => {
    const { gateway } = await openGateway({
      status: 200,
      json: sampleOf('otp', 'verification-check.wrong-code'),
    })
    expect(await gateway.check(ref, '9999', 'user')).toBe('rejected')
  })

  it.each<[string, number, unknown, string]>([
    ['a verification that is gone', 404, sampleOf('otp', 'otp-error.not-found'), 'expired'],
    ['too many checks', 429, sampleOf('otp', 'otp-error.max-checks'), 'locked'],
    ['a code it does not like', 400, sampleOf('otp', 'otp-error.invalid-parameter'), 'rejected'],
  ])('reads %s', async (_, status, json, verdict) => {
    const { gateway } = await openGateway({ status, json })
    expect(await gateway.check(ref, '1234', 'user')).toBe(verdict)
  })

  it.each<[string, Reply]>([
    ['a 500', { status: 500, json: { status: 'approved' } }],
    ['success without a verification', { status: 200, json: { valid: true } }],
    ['success that is no JSON', { status: 200, text: 'approved' }],
    ['a 400 that is no error of the provider', { status: 400, text: 'Bad Request' }],
    ['the word alone', { status: 200, json: 'approved' }],
    ['a list', { status: 200, json: [sampleOf('otp', 'verification-check.approved')] }],
    ['nothing', { status: 200, json: null }],
    [
      'a list of words',
      { status: 200, json: { ...sampleOf('otp', 'verification-check.approved'), status: ['approved'] } },
    ],
    ['a redirect', { status: 302, json: sampleOf('otp', 'verification-check.approved') }],
    [
      'an approval that is only on its way',
      { status: 202, json: sampleOf('otp', 'verification-check.approved') },
    ],
    ['a connection that breaks', 'reset'],
  ])('never says yes after %s', async (_, reply) => {
    const { outsider, gateway } = await openGateway(reply)
    expect(await codeOf(gateway.check(ref, '1234', 'user'))).toBe('OTP_UNAVAILABLE')
    expect(outsider.heard).toHaveLength(1)
  })
})
