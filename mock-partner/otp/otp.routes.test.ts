import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Value } from 'typebox/value'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import {
  OtpError,
  otpSidPatterns,
  Verification,
  VerificationAttempts,
  VerificationCheck,
} from '#shared/wire/otp/otp.wire.ts'
import { buildPartner } from '#test/builders/mock-partner.builder.ts'
import { verificationLifeMs } from './otp.state.ts'

const { accountSid, authToken, userServiceSid, agentServiceSid } = demoAccounts.otp
const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
const phone = '+966512345678'

interface AttemptList {
  attempts: { channel_data: { message_status?: string } }[]
}

function setUp(options?: Parameters<typeof buildPartner>[0]) {
  const partner = buildPartner(options)
  const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
    partner.form(`/otp/v2/Services/${path}`, demoAccounts.otp, fields, headers)
  const send = (fields: Record<string, string> = {}, service: string = userServiceSid) =>
    post(`${service}/Verifications`, { To: phone, Channel: 'sms', ...fields })
  const check = (fields: Record<string, string>, service: string = userServiceSid) =>
    post(`${service}/VerificationCheck`, { To: phone, ...fields })
  const get = (url: string) => partner.app.inject({ method: 'GET', url, headers: { authorization } })
  return { ...partner, get, post, send, check }
}

const errorOf = (answer: { statusCode: number; json: () => OtpError }) => {
  const body = answer.json()
  expect(Value.Check(OtpError, body)).toBe(true)
  expect(body.status).toBe(answer.statusCode)
  return [answer.statusCode, body.code]
}

describe('sending a code', () => {
  it('answers 201 with a pending verification that fits the wire schema', async () => {
    const { send } = setUp()
    const answer = await send({ Locale: 'en' })
    expect(answer.statusCode).toBe(201)
    const body = answer.json()
    expect(Value.Check(Verification, body)).toBe(true)
    expect(body).toMatchObject({
      service_sid: userServiceSid,
      account_sid: accountSid,
      to: phone,
      channel: 'sms',
      status: 'pending',
      valid: false,
      date_created: '2026-05-27T09:30:00Z',
    })
    expect(body.sid).toMatch(otpSidPatterns.verification)
    expect(body.send_code_attempts).toHaveLength(1)
    expect(body.send_code_attempts[0].attempt_sid).toMatch(otpSidPatterns.attempt)
    expect(body.url).toMatch(new RegExp(`/otp/v2/Services/${userServiceSid}/Verifications/${body.sid}$`))
  })

  it('puts the message into the inbox, in the language asked for, under the name of the service', async () => {
    const { send, otp } = setUp()
    await send({ Locale: 'en' })
    await send({}, agentServiceSid)
    expect(otp.inbox()).toMatchObject([
      { phone, code: '4821', service: 'agent', text: expect.stringContaining('رمز التحقق') },
      { phone, code: '4821', service: 'user', text: expect.stringContaining('verification code is: 4821') },
    ])
    expect(otp.inbox('+966500000009')).toEqual([])
  })

  it('says the digits of a call one by one, twice, in the language asked for or that of the country', async () => {
    const { send, otp } = setUp()
    await send({ Channel: 'call' })
    await send({ Channel: 'call', Locale: 'en' })
    await send({ Channel: 'whatsapp', To: '+6281234567890' })
    expect(otp.inbox().map(({ channel, text }) => [channel, text])).toEqual([
      ['whatsapp', 'Your verification code is: 4821. Do not share this code with anyone.'],
      ['call', 'Hello. Your verification code is: 4, 8, 2, 1. Once again: 4, 8, 2, 1.'],
      ['call', 'مرحبًا. رمز التحقق الخاص بك هو: 4، 8، 2، 1. أكرر: 4، 8، 2، 1.'],
    ])
  })

  it.each([
    ['+966500711234', ['whatsapp', 'call']],
    ['+966500721234', ['sms', 'call']],
    ['+966500731234', ['sms', 'whatsapp']],
    ['+966500741234', ['call']],
  ])('accepts every channel for %s, and reaches it by %s alone', async (to, reached) => {
    const { send, otp, get, clock } = setUp()
    const { sid } = (await send({ To: to })).json()
    for (const Channel of ['whatsapp', 'call']) expect((await send({ To: to, Channel })).json().sid).toBe(sid)
    expect(otp.inbox(to).map(({ channel }) => channel)).toEqual([...reached].reverse())
    const states = async (more = '') => {
      const answer = await get(`/otp/v2/Attempts?VerificationSid=${sid}${more}`)
      expect(Value.Check(VerificationAttempts, answer.json())).toBe(true)
      return answer.json<AttemptList>().attempts.map(({ channel_data }) => channel_data.message_status)
    }
    expect(await states()).toEqual([undefined, 'sent', 'sent'])
    clock.advance(1_000)
    expect(await states('&Channel=sms')).toEqual([reached.includes('sms') ? 'delivered' : 'undelivered'])
    expect((await states())[1]).toBe(reached.includes('whatsapp') ? 'delivered' : 'undelivered')
    clock.advance(verificationLifeMs)
    expect(await states()).toEqual([])
  })

  it('is refused by the channel for the phones of a sender without a template', async () => {
    const { send } = setUp()
    const to = { To: '+966500751234' }
    expect(errorOf(await send({ ...to, Channel: 'whatsapp' }))).toEqual([400, 60327])
    expect((await send({ ...to, Channel: 'call' })).statusCode).toBe(201)
  })

  it('sends the same code again within the same verification', async () => {
    const codes = ['1111', '2222']
    const { send, otp } = setUp({ newCode: () => codes.shift() ?? '' })
    const [first, second] = [(await send()).json(), (await send()).json()]
    expect(second.sid).toBe(first.sid)
    expect(second.send_code_attempts).toHaveLength(2)
    expect(otp.inbox().map(({ code }) => code)).toEqual(['1111', '1111'])
  })

  it('gives test phones the same code each time, and no other phone', async () => {
    const { send, check, otp } = setUp()
    for (let round = 0; round < 2; round += 1) {
      await send({ To: '+966500912345' })
      expect(otp.inbox()[0]).toMatchObject({ phone: '+966500912345', code: '2345' })
      expect((await check({ To: '+966500912345', Code: '2345' })).json().status).toBe('approved')
    }
    await send({ To: '+966500812345' })
    expect(otp.inbox()[0]?.code).toBe('4821')
  })

  it('is refused after five, until the verification is over', async () => {
    const { send, clock } = setUp()
    for (let count = 0; count < 5; count += 1) expect((await send()).statusCode).toBe(201)
    expect(errorOf(await send())).toEqual([429, 60203])
    clock.advance(verificationLifeMs)
    expect((await send()).statusCode).toBe(201)
  })

  it.each([
    ['a phone without +', { To: '0512345678' }],
    ['no phone', { To: '' }],
    ['an unknown channel', { Channel: 'pigeon' }],
  ])('is refused with 60200 for %s', async (_name, fields) => {
    const { send } = setUp()
    expect(errorOf(await send(fields))).toEqual([400, 60200])
  })

  it('is refused with 60200 when the fields come as JSON', async () => {
    const { app } = setUp()
    const answer = await app.inject({
      method: 'POST',
      url: `/otp/v2/Services/${userServiceSid}/Verifications`,
      headers: { authorization },
      payload: { To: phone, Channel: 'sms' },
    })
    expect(errorOf(answer)).toEqual([400, 60200])
  })

  it('answers 404 for a language without texts', async () => {
    const { send } = setUp()
    expect(errorOf(await send({ Locale: 'xx' }))).toEqual([404, 20404])
  })

  it('never answers for the magic number of a hanging service', async () => {
    const { app } = setUp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    const { port } = app.server.address() as AddressInfo
    const arrived = new Promise<void>((resolve) => {
      app.server.once('request', (incoming) => incoming.once('end', () => setImmediate(resolve)))
    })
    const call = request({
      port,
      path: `/otp/v2/Services/${userServiceSid}/Verifications`,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    })
    const ended = new Promise<string>((resolve) => {
      call.on('response', () => resolve('answered'))
      call.on('error', (error) => resolve(error.message))
    })
    call.end(new URLSearchParams({ To: '+966500000408', Channel: 'sms' }).toString())
    await arrived
    call.destroy(new Error('gave up'))
    expect(await ended).toBe('gave up')
  })
})

describe('checking a code', () => {
  it('approves the right one once; then the verification is not found', async () => {
    const { send, check } = setUp()
    await send()
    const answer = await check({ Code: '4821' })
    expect(answer.statusCode).toBe(200)
    expect(Value.Check(VerificationCheck, answer.json())).toBe(true)
    expect(answer.json()).toMatchObject({ status: 'approved', valid: true, to: phone })
    const again = await check({ Code: '4821' })
    expect(errorOf(again)).toEqual([404, 20404])
    expect(again.json().message).toBe(
      `The requested resource /Services/${userServiceSid}/VerificationCheck was not found`,
    )
  })

  it('is refused after five, also for the right code and for a new send, until the time is over', async () => {
    const { send, check, clock } = setUp()
    await send()
    for (let count = 0; count < 5; count += 1) await check({ Code: '0000' })
    expect(errorOf(await check({ Code: '4821' }))).toEqual([429, 60202])
    expect(errorOf(await send())).toEqual([429, 60202])
    clock.advance(verificationLifeMs)
    expect((await send()).statusCode).toBe(201)
    expect((await check({ Code: '4821' })).json().status).toBe('approved')
  })

  it('finds nothing after ten minutes', async () => {
    const { send, check, clock } = setUp()
    await send()
    clock.advance(verificationLifeMs - 1)
    expect((await check({ Code: '0000' })).statusCode).toBe(200)
    clock.advance(1)
    expect(errorOf(await check({ Code: '4821' }))).toEqual([404, 20404])
  })

  it.each([
    ['a code of three characters', { Code: '482' }],
    ['a code of eleven characters', { Code: '12345678901' }],
    ['no code', {}],
  ])('is refused with 60200 for %s', async (_name, fields) => {
    const { send, check } = setUp()
    await send()
    expect(errorOf(await check(fields))).toEqual([400, 60200])
  })

  it('is refused with 60200 when neither phone nor verification is named', async () => {
    const { post } = setUp()
    expect(errorOf(await post(`${userServiceSid}/VerificationCheck`, { Code: '4821' }))).toEqual([400, 60200])
  })
})

it('a verification is cancelled and not changed otherwise; a new send then makes a new one', async () => {
  const { send, post } = setUp()
  const { sid } = (await send()).json()
  const update = (Status: string) => post(`${userServiceSid}/Verifications/${sid}`, { Status })
  expect(errorOf(await update('pending'))).toEqual([400, 60200])
  expect((await update('canceled')).json()).toMatchObject({ sid, status: 'canceled' })
  expect((await send()).json().sid).not.toBe(sid)
})

describe('the account', () => {
  it.each(['', 'Basic bm9ib2R5Om5vdGhpbmc=', `Bearer ${authToken}`])('is closed to "%s"', async (header) => {
    const { send, post } = setUp()
    await send()
    const answer = await post(
      `${userServiceSid}/VerificationCheck`,
      { To: phone, Code: '4821' },
      { authorization: header },
    )
    expect(errorOf(answer)).toEqual([401, 20003])
  })

  it.each(['VA00000000000000000000000000000099', 'not-a-service'])(
    'does not know the service %s',
    async (service) => {
      const { send } = setUp()
      expect(errorOf(await send({}, service))).toEqual([404, 20404])
    },
  )
})

describe('a true answer in an unusual form', () => {
  const loose = {
    valid: 'false',
    to: 966500060201,
    account_sid: null,
    channel: ['sms'],
    date_created: Date.UTC(2026, 4, 27, 9, 30) / 1000,
    risk_check: { score: 1 },
    status: 'pending',
  }

  it('is given to a magic number, for a send and for a check', async () => {
    const { send, check } = setUp()
    const To = '+966500060201'
    const sent = await send({ To })
    expect([sent.statusCode, sent.json()]).toEqual([200, expect.objectContaining(loose)])
    const wrong = await check({ To, Code: '0000' })
    expect([wrong.statusCode, wrong.json()]).toEqual([201, expect.objectContaining(loose)])
    expect((await check({ To, Code: '4821' })).json()).toMatchObject({ status: 'approved', valid: 'true' })
  })

  it('holds only the fields that a client needs, for another magic number', async () => {
    const { send, check } = setUp()
    const To = '+966500060204'
    const sent = (await send({ To })).json()
    expect(sent).toEqual({ sid: expect.stringMatching(otpSidPatterns.verification), status: 'pending' })
    expect((await check({ To, Code: '4821' })).json()).toEqual({ sid: sent.sid, status: 'approved' })
  })

  it('comes while the fault `unusual` is set, also in refusals', async () => {
    const { send, check, ask } = setUp()
    await ask('PUT', '/faults/otp', { kind: 'unusual', count: 2 })
    const sent = await send()
    expect([sent.statusCode, sent.json()]).toEqual([
      200,
      expect.objectContaining({ ...loose, to: 966512345678 }),
    ])
    expect((await send({ To: 'nonsense' })).json()).toMatchObject({ code: '60200', status: null })
    expect((await check({ Code: '4821' })).statusCode).toBe(200)
  })
})

it('counts messages sent and codes compared', async () => {
  const { send, check, otp } = setUp()
  await send()
  await send()
  await send({ To: 'nonsense' })
  await check({ Code: '0000' })
  await check({ Code: '4821' })
  await check({ Code: '4821' })
  expect(otp.counters()).toEqual({ sends: 2, checks: 2 })
})
