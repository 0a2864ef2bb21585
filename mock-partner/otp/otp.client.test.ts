import type { AddressInfo } from 'node:net'
import twilio from 'twilio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { buildPartner } from '#test/builders/mock-partner.builder.ts'

/** The provider's published client, given the simulator's address. */

const { accountSid, authToken, userServiceSid, agentServiceSid } = demoAccounts.otp
const phone = '+966512345678'
const serviceAddress = 'https://verify.twilio.com/v2'

async function openClient(token: string = authToken) {
  const partner = buildPartner()
  await partner.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => partner.app.close())
  const { port } = partner.app.server.address() as AddressInfo
  class Redirected extends twilio.RequestClient {
    override request: twilio.RequestClient['request'] = (options) => {
      expect(options.uri.startsWith(serviceAddress)).toBe(true)
      const uri = options.uri.replace(serviceAddress, `http://127.0.0.1:${port}/otp/v2`)
      return super.request({ ...options, uri })
    }
  }
  const client = twilio(accountSid, token, { httpClient: new Redirected({ keepAlive: false }) })
  const service = (sid: string) => client.verify.v2.services(sid)
  return {
    ...partner,
    service,
    users: service(userServiceSid),
    attempts: client.verify.v2.verificationAttempts,
  }
}

/** The fields of the error that the client throws. */
async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(twilio.RestException)
  const { status, code, message, moreInfo } = error as InstanceType<typeof twilio.RestException>
  return { status, code, message, moreInfo }
}

describe('the provider’s own client', () => {
  it('signs a person in: sends a code, is refused a wrong one and approved the right one, once', async () => {
    const { users, otp } = await openClient()
    const sent = await users.verifications.create({ to: phone, channel: 'sms', locale: 'ar' })
    expect(sent).toMatchObject({ to: phone, channel: 'sms', status: 'pending', valid: false })
    expect(sent.sid).toMatch(/^VE[0-9a-f]{32}$/)
    expect(sent.dateCreated).toEqual(new Date('2026-05-27T09:30:00Z'))
    const code = otp.inbox(phone)[0]?.code ?? ''

    const wrong = await users.verificationChecks.create({ verificationSid: sent.sid, code: '0000' })
    expect(wrong).toMatchObject({ sid: sent.sid, status: 'pending', valid: false })
    const right = await users.verificationChecks.create({ verificationSid: sent.sid, code })
    expect(right).toMatchObject({ sid: sent.sid, to: phone, status: 'approved', valid: true })
    expect(await refusalOf(users.verificationChecks.create({ to: phone, code }))).toMatchObject({
      status: 404,
      code: 20404,
    })
  })

  it('fetches a verification, and cancels it, after which it is not found', async () => {
    const { users } = await openClient()
    const { sid } = await users.verifications.create({ to: phone, channel: 'sms' })
    expect(await users.verifications(sid).fetch()).toMatchObject({ sid, status: 'pending' })
    expect(await users.verifications(sid).update({ status: 'canceled' })).toMatchObject({
      status: 'canceled',
    })
    expect(await refusalOf(users.verifications(sid).fetch())).toMatchObject({ status: 404, code: 20404 })
  })

  it('lists the attempts of a verification: an SMS that did not arrive, and the call after it', async () => {
    const { users, attempts, clock } = await openClient()
    const to = '+966500711234'
    const { sid } = await users.verifications.create({ to, channel: 'sms', locale: 'ar' })
    expect((await users.verifications.create({ to, channel: 'call' })).sid).toBe(sid)
    clock.advance(1_000)
    expect(await attempts.list({ verificationSid: sid })).toMatchObject([
      { channel: 'call', verificationSid: sid },
      { channel: 'sms', channelData: { to, message_status: 'undelivered' } },
    ])
    expect(await attempts.list({ verificationSid: sid, channel: 'sms' })).toHaveLength(1)
  })

  it.each([
    ['+966500060200', 400, 60200],
    ['+966500060203', 429, 60203],
    ['+966500060205', 403, 60205],
    ['+966500060212', 429, 60212],
    ['+966500060238', 403, 60238],
    ['+966500060410', 403, 60410],
    ['+966500060605', 403, 60605],
    ['+966500020429', 429, 20429],
    ['+966500000500', 500, 20500],
    ['no phone', 400, 60200],
  ])('throws the error of the real service for %s: %i, %i', async (to, status, code) => {
    const { users } = await openClient()
    expect(await refusalOf(users.verifications.create({ to, channel: 'sms' }))).toEqual({
      status,
      code,
      message: expect.any(String),
      moreInfo: `https://www.twilio.com/docs/errors/${code}`,
    })
  })

  it('is separate by service and by key', async () => {
    const { users, service, otp } = await openClient()
    await users.verifications.create({ to: phone, channel: 'sms' })
    const code = otp.inbox(phone)[0]?.code ?? ''
    const atAgents = service(agentServiceSid).verificationChecks.create({ to: phone, code })
    expect(await refusalOf(atAgents)).toMatchObject({ status: 404, code: 20404 })
    const stranger = await openClient('0'.repeat(32))
    const refused = stranger.users.verifications.create({ to: phone, channel: 'sms' })
    expect(await refusalOf(refused)).toMatchObject({ status: 401, code: 20003 })
  })

  it.each(['+966500060201', '+966500060204'])('accepts the unusual answers for %s', async (to) => {
    const { users, otp } = await openClient()
    const { sid } = await users.verifications.create({ to, channel: 'sms' })
    const code = otp.inbox(to)[0]?.code ?? ''
    const check = await users.verificationChecks.create({ verificationSid: sid, code })
    expect(check).toMatchObject({ sid, status: 'approved' })
  })
})
