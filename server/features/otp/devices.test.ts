import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '#test/kit/basics/clock.ts'
import { openBrowser, problemOf } from '#test/kit/gateway/feature-app.ts'
import {
  addressOf,
  farAway,
  guess,
  openFixture,
  send,
  sendFrom,
  setFailures,
  signUp,
  userOf,
  verify,
} from '#test/kit/gateway/sign-in-fixture.ts'
import { deleteExpiredCodes } from './stored-codes.ts'

describe('a known device', () => {
  async function openWithOwner(env: Readonly<Record<string, string>> = {}) {
    const fixture = await openFixture({ env })
    const owner = openBrowser(fixture.app)
    await signUp(owner)
    await owner.post('/api/auth/logout')
    fixture.clock.advance(hour)
    return { ...fixture, owner, attacker: openBrowser(fixture.app) }
  }

  it('signs in while another browser has used up the sends of the phone', async () => {
    const { app, owner, attacker, clock } = await openWithOwner()
    for (let each = 0; each < 3; each += 1) {
      await send(attacker)
      clock.advance(minute)
    }
    expect(problemOf(await send(openBrowser(app))).code).toBe('TOO_MANY_CODES')
    expect((await send(owner)).json.sent).toBe(true)
    expect((await verify(owner)).status).toBe(200)
  })

  it('signs in while another browser has locked the phone, and thereby unlocks it', async () => {
    const fixture = await openWithOwner()
    await guess(fixture, fixture.attacker, 1)
    await setFailures(fixture, 20)
    expect(problemOf(await send(openBrowser(fixture.app))).code).toBe('PHONE_LOCKED')
    await send(fixture.owner)
    expect((await verify(fixture.owner)).status).toBe(200)
    fixture.clock.advance(day)
    expect((await send(openBrowser(fixture.app))).json.sent).toBe(true)
  })

  it('starts with new tries at the provider', async () => {
    const { owner, attacker, clock, otp } = await openWithOwner()
    await send(attacker)
    const [burnt] = [`user-${otp.sends.length}`]
    clock.advance(minute)
    await send(owner)
    expect(otp.cancelled).toEqual([burnt])
    expect((await verify(owner)).status).toBe(200)
  })

  it('alone cancels a live code: an unknown device leaves the code of another one alive', async () => {
    const { app, clock, otp } = await openFixture()
    const newcomer = openBrowser(app)
    await send(newcomer)
    clock.advance(minute)
    expect((await send(openBrowser(app))).json.sent).toBe(true)
    expect(otp.cancelled).toEqual([])
    expect((await verify(newcomer, { name: 'A' })).status).toBe(200)
  })

  it('is known by its own token, and for its own phone alone', async () => {
    const { app, owner, otp } = await openWithOwner()
    await send(openBrowser(app, { device_3000: 'A'.repeat(43) }))
    expect((await send(openBrowser(app, { device_3000: 'B'.repeat(43) }))).status).toBe(429)
    await send(owner, { phone: '0587654321' })
    expect(
      (await send(openBrowser(app, Object.fromEntries(owner.cookies)), { phone: '0587654321' })).json.sent,
    ).toBe(false)
    expect(otp.cancelled).toEqual([])
  })

  it('is limited too, apart from other devices', async () => {
    const fixture = await openWithOwner()
    const answer = await guess(fixture, fixture.owner, 6)
    expect(answer && problemOf(answer).code).toBe('TOO_MANY_WRONG_CODES')
  })

  it('is not signed in by its token', async () => {
    const { owner } = await openWithOwner()
    expect(owner.cookies.has('device_3000')).toBe(true)
    expect((await userOf(owner)).status).toBe(401)
  })

  it('keeps its token through sign-outs and with a second phone', async () => {
    const { owner } = await openWithOwner()
    const token = owner.cookies.get('device_3000')
    await send(owner)
    await verify(owner)
    await send(owner, { phone: '0587654321' })
    await verify(owner, { phone: '0587654321', name: 'B' })
    expect(owner.cookies.get('device_3000')).toBe(token)
  })

  it('gets a new token in place of one that was not issued', async () => {
    const { app } = await openFixture()
    const browser = openBrowser(app, { device_3000: 'C'.repeat(43) })
    await signUp(browser)
    expect(browser.cookies.get('device_3000')).not.toBe('C'.repeat(43))
  })

  it('is unknown half a year after its last use', async () => {
    const { app, owner, clock, core } = await openWithOwner()
    const device = Object.fromEntries(owner.cookies)
    clock.advance(180 * day)
    await deleteExpiredCodes(core, 100)
    await send(openBrowser(app))
    expect((await send(openBrowser(app, device))).status).toBe(429)
  })

  it('gets codes when the budget of the day is used up, and other devices get none', async () => {
    const fixture = await openWithOwner({ OTP_DAILY_BUDGET: '20' })
    // The owner signed up with the first one.
    for (let index = 0; index < 19; index += 1)
      expect((await sendFrom(addressOf(index), openBrowser(fixture.app), farAway(index))).status).toBe(200)
    expect(problemOf(await sendFrom('192.0.9.9', openBrowser(fixture.app), farAway(40))).code).toBe(
      'SIGN_IN_BUSY',
    )
    for (let each = 0; each < 2; each += 1) {
      expect((await send(fixture.owner)).json.sent).toBe(true)
      fixture.clock.advance(minute)
    }
    expect((await verify(fixture.owner)).status).toBe(200)
    expect(await fixture.metric('amtiati_sign_in_budget_used_ratio')).toBe(1)
  })
})
