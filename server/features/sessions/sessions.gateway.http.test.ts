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
    expect(await gateway.send(phone, 'ar', 'user')).toBe(ref)
  })

  it('asks again without a language when the provider does not speak it', async () => {
    const notFound = { status: 404, json: sampleOf('otp', 'otp-error.not-found') }
    const { outsider, gateway } = await openGateway(notFound, sent)
    expect(await gateway.send(phone, 'ar', 'user')).toBe(ref)
    expect(outsider.heard.map(({ body }) => fieldsOf(body))).toEqual([
      { To: phone, Channel: 'sms', Locale: 'ar' },
      { To: phone, Channel: 'sms' },
    ])
  })

  it.each([
    ['otp-error.invalid-parameter', 400, 'PHONE_INVALID'],
    ['otp-error.country-blocked', 403, 'PHONE_INVALID'],
    ['otp-error.max-sends', 429, 'TOO_MANY_CODES'],
    ['otp-error.too-many-requests', 429, 'TOO_MANY_CODES'],
  ])('reads %s as %s %s', async (sample, status, code) => {
    const { gateway } = await openGateway({ status, json: sampleOf('otp', sample) })
    expect(await codeOf(gateway.send(phone, 'ar', 'user'))).toBe(code)
  })

  it.each<[string, Reply[]]>([
    ['a 500', [{ status: 500, json: { code: 20500, message: 'oops', status: 500 } }]],
    ['a 401', [{ status: 401, json: { code: 20003, message: 'Authenticate', status: 401 } }]],
    ['success without a verification', [{ status: 201, json: { status: 'pending' } }]],
    ['success that is no JSON', [{ status: 200, text: 'OK' }]],
    [
      'a service that does not exist',
      [
        { status: 404, json: {} },
        { status: 404, json: {} },
      ],
    ],
    ['a connection that breaks', ['reset']],
  ])('is unavailable after %s', async (_, replies) => {
    const { outsider, gateway } = await openGateway(...replies)
    expect(await codeOf(gateway.send(phone, 'ar', 'user'))).toBe('OTP_UNAVAILABLE')
    expect(outsider.heard).toHaveLength(replies.length)
  })

  it('is unavailable when nobody is there', async () => {
    expect(await codeOf(gatewayAt(await nobodyThere()).send(phone, 'ar', 'user'))).toBe('OTP_UNAVAILABLE')
  })
})

describe('check', () => {
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
    ['a connection that breaks', 'reset'],
  ])('never says yes after %s', async (_, reply) => {
    const { outsider, gateway } = await openGateway(reply)
    expect(await codeOf(gateway.check(ref, '1234', 'user'))).toBe('OTP_UNAVAILABLE')
    expect(outsider.heard).toHaveLength(1)
  })
})
