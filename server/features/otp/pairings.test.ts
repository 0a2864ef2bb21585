import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '#test/kit/basics/clock.ts'
import {
  type BrowserAnswer,
  openBrowser,
  problemOf,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import {
  agentOf,
  agentPhone,
  openFixture,
  rightCode,
  type SignInFixture,
  sendAgent,
  signInAgent,
  verifyAgent,
  wrongCode,
} from '#test/kit/gateway/sign-in-fixture.ts'
import { openPairing } from './pairings.ts'

const stranger = '+966599999999'
const show = (browser: TestBrowser, phone = agentPhone) => browser.post('/api/auth/agent-pairing', { phone })
const pairingOf = ({ json }: BrowserAnswer) => (json as { pairing: string | null }).pairing

/** Strangers use up the codes of a day: each code three times, as often as the limits allow. */
async function exhaust(fixture: SignInFixture, to = agentPhone): Promise<void> {
  const { app, clock } = fixture
  for (let wrong = 0; wrong < 10; ) {
    const browser = openBrowser(app)
    const sent = await sendAgent(browser, to)
    if (sent.status !== 200) {
      clock.advance(10 * minute)
      continue
    }
    for (let each = 0; each < 3 && wrong < 10; each += 1) {
      const answer = await verifyAgent(browser, { phone: to, code: wrongCode })
      if (answer.status === 400) wrong += 1
    }
    clock.advance(minute)
  }
}

const alertsOf = ({ database }: SignInFixture) =>
  database.tables.selectFrom('agent_alerts').selectAll().execute()

describe('an agent whose number strangers have used up', () => {
  it('is never stopped beyond the day, however long they go on', async () => {
    const fixture = await openFixture()
    for (let round = 0; round < 3; round += 1) {
      await exhaust(fixture)
      const refused = problemOf(await sendAgent(openBrowser(fixture.app)))
      expect(refused.code).toBe('TOO_MANY_WRONG_CODES')
      expect(refused.retryAfterSeconds).toBeLessThanOrEqual(day / 1_000)
      fixture.clock.advance((refused.retryAfterSeconds ?? 0) * 1_000)
    }
    // Thirty wrong codes in a row.
    fixture.clock.advance(hour)
    const browser = openBrowser(fixture.app)
    await sendAgent(browser)
    expect((await verifyAgent(browser)).status).toBe(200)
  })

  it('signs in in the one browser whose number the desk opens, once', async () => {
    const fixture = await openFixture()
    await exhaust(fixture)
    const [browser, other] = [openBrowser(fixture.app), openBrowser(fixture.app)]
    expect(problemOf(await sendAgent(browser)).code).toBe('TOO_MANY_WRONG_CODES')
    const pairing = pairingOf(await show(browser))
    expect(pairing).toMatch(/^[1-9]\d{5}$/)
    expect(pairingOf(await show(browser))).toBe(pairing)
    expect(pairingOf(await show(other))).not.toBe(pairing)

    expect(await openPairing(fixture.core, agentPhone, '000000')).toBe(false)
    expect(await openPairing(fixture.core, stranger, pairing ?? '')).toBe(false)
    expect(await openPairing(fixture.core, agentPhone, pairing ?? '')).toBe(true)
    expect(await openPairing(fixture.core, agentPhone, pairing ?? '')).toBe(false)
    expect(problemOf(await sendAgent(other)).code).toBe('TOO_MANY_WRONG_CODES')
    expect((await sendAgent(browser)).json.sent).toBe(true)
    // A lost SMS: the cookie of the browser changes with each code.
    fixture.clock.advance(minute)
    expect((await sendAgent(browser)).json.sent).toBe(true)
    expect((await verifyAgent(browser, { code: wrongCode })).status).toBe(400)
    expect((await verifyAgent(browser, { code: rightCode })).status).toBe(200)
    expect((await agentOf(browser)).status).toBe(200)

    // Without the cookie of the device it is a browser like any other.
    fixture.clock.advance(hour)
    const rows = await fixture.database.tables.selectFrom('agent_pairings').selectAll().execute()
    expect(rows.filter(({ opened_at }) => opened_at !== null)).toEqual([])
  })

  it('has half an hour for the call, and half an hour for the code', async () => {
    const fixture = await openFixture()
    await exhaust(fixture)
    const browser = openBrowser(fixture.app)
    const shown = await show(browser)
    expect(shown.json).toMatchObject({ expiresInSeconds: 1_800 })
    const first = pairingOf(shown) ?? ''
    fixture.clock.advance(30 * minute)
    expect(await openPairing(fixture.core, agentPhone, first)).toBe(false)
    const second = pairingOf(await show(browser)) ?? ''
    expect(await openPairing(fixture.core, agentPhone, second)).toBe(true)
    expect(pairingOf(await show(browser))).toBeNull()
    fixture.clock.advance(30 * minute)
    expect(problemOf(await sendAgent(browser)).code).toBe('TOO_MANY_WRONG_CODES')
    expect(pairingOf(await show(browser))).not.toBeNull()
  })

  it('goes on with a device that has signed in before', async () => {
    const fixture = await openFixture()
    const known = openBrowser(fixture.app)
    await signInAgent(known)
    await exhaust(fixture)
    expect(pairingOf(await show(known))).toBeNull()
    expect((await sendAgent(known)).json.sent).toBe(true)
    expect((await verifyAgent(known)).status).toBe(200)
  })

  it('is guessed at in the opened browser no more than in a known device', async () => {
    const fixture = await openFixture()
    await exhaust(fixture)
    const browser = openBrowser(fixture.app)
    await openPairing(fixture.core, agentPhone, pairingOf(await show(browser)) ?? '')
    const before = fixture.otp.checks.length
    for (let code = 0; code < 10; code += 1) {
      await sendAgent(browser)
      for (let each = 0; each < 3; each += 1) await verifyAgent(browser, { code: wrongCode })
      fixture.clock.advance(minute)
    }
    expect(fixture.otp.checks.length - before).toBe(5)
  })
})

describe('the counts of a day', () => {
  it('show no number before they are used up', async () => {
    const fixture = await openFixture()
    for (let each = 0; each < 3; each += 1) {
      await sendAgent(openBrowser(fixture.app))
      fixture.clock.advance(minute)
    }
    const browser = openBrowser(fixture.app)
    expect(problemOf(await sendAgent(browser)).code).toBe('TOO_MANY_CODES')
    expect(pairingOf(await show(browser))).toBeNull()
    expect(await alertsOf(fixture)).toEqual([])
  })

  it('alert the desk at ten codes that were sent, too, and once', async () => {
    const fixture = await openFixture()
    const start = fixture.clock.now()
    for (let sends = 0; sends < 10; ) {
      if ((await sendAgent(openBrowser(fixture.app))).status === 200) sends += 1
      fixture.clock.advance(minute)
    }
    expect(await alertsOf(fixture)).toMatchObject([
      { phone: agentPhone, partner_agent_id: 'A01', name: 'وكيل منى', sends: 10, ends_at: start + day },
    ])
    expect(await fixture.metric('amtiati_agents_shut_out')).toBe(1)
    for (let each = 0; each < 3; each += 1) await show(openBrowser(fixture.app))
    const lines = fixture.lines.filter(({ event }) => event === 'sign-in.agent-shut-out')
    expect(lines).toHaveLength(1)
    fixture.clock.advance(day)
    expect(await fixture.metric('amtiati_agents_shut_out')).toBe(0)
  })

  it('are answered alike for a number that is no agent’s, of which the desk is not told', async () => {
    const fixture = await openFixture()
    const seen: unknown[] = []
    for (const to of [agentPhone, stranger]) {
      await exhaust(fixture, to)
      const browser = openBrowser(fixture.app)
      const refused = await sendAgent(browser, to)
      const { status, json } = await show(browser, to)
      expect(pairingOf({ json } as BrowserAnswer)).toMatch(/^\d{6}$/)
      seen.push([refused.status, problemOf(refused).code, status, { ...json, pairing: '' }])
    }
    expect(seen[1]).toEqual(seen[0])
    expect((await alertsOf(fixture)).map(({ phone }) => phone)).toEqual([agentPhone])
  })

  it('are answered alike while the directory is away, and noted when it is back', async () => {
    const fixture = await openFixture()
    await exhaust(fixture)
    await fixture.database.tables.deleteFrom('agent_alerts').execute()
    await fixture.setDirectoryAway(true)
    const browser = openBrowser(fixture.app)
    expect(pairingOf(await show(browser))).toMatch(/^\d{6}$/)
    expect(await alertsOf(fixture)).toEqual([])
    await fixture.setDirectoryAway(false)
    await show(browser)
    expect(await alertsOf(fixture)).toHaveLength(1)
  })

  it('keep the numbers of one address few, so that a wrong digit opens no other browser', async () => {
    const fixture = await openFixture()
    await exhaust(fixture)
    for (let each = 0; each < 8; each += 1) {
      await show(openBrowser(fixture.app))
      fixture.clock.advance(1)
    }
    const rows = await fixture.database.tables.selectFrom('agent_pairings').select('pairing').execute()
    expect(rows).toHaveLength(5)
  })
})
