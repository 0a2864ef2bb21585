import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { addSession, deleteSession } from '#server/features/sessions/sessions.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { day, type ManualClock, manualClock, noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openBrowser, openFeatureApp, problemOf, routesFor } from '#test/kit/gateway/feature-app.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { rfcReader, rfcSender } from '#test/kit/gateway/web-push.ts'
import type { PushAddress, PushMessage } from './push.provider.ts'
import { pushRoutes } from './push.routes.ts'
import { type PushOutcome, pushRules } from './push.rules.ts'
import { exportSubscriptions, hasBrowser, sendPush } from './push.ts'

const path = '/api/push/subscriptions'
const message: PushMessage = { text: '{}', topic: 'o1-1', lifeMs: day }
const { p256dh, auth } = rfcReader
const endpointOf = (name: string) => `https://fcm.googleapis.com/fcm/send/${name}`
const bodyOf = (name: string, change: object = {}) => ({
  endpoint: endpointOf(name),
  p256dh,
  auth,
  ...change,
})

let clock: ManualClock
let database: Database
let core: Core
let userId: number
let otherId: number
let sent: PushAddress[]
/** The answers of the push services, by the name of the browser. */
let answers: Map<string, PushOutcome>

/** Opens the gateway again, with another public key or none. */
async function open(publicKey: string | undefined): Promise<void> {
  const push =
    publicKey === undefined
      ? undefined
      : {
          publicKey,
          async send(address: PushAddress): Promise<PushOutcome> {
            sent.push(address)
            return answers.get(address.endpoint) ?? { outcome: 'accepted' }
          },
        }
  core = await openCore({ database, clock }, { providers: { push } })
}

async function openSession(token: string, user: number): Promise<void> {
  await addSession(
    { database },
    {
      token_hash: hashOf(token),
      id: token,
      device: '',
      role: 'user',
      subject_id: user,
      created_at: noon,
      last_seen_at: noon,
      idle_until: noon + day,
      ends_at: noon + day,
    },
  )
}

beforeEach(async () => {
  clock = manualClock()
  database = await openMemory(clock)
  userId = (await ensureUser({ database }, '+966512345678', 'Maryam', noon)).id
  otherId = (await ensureUser({ database }, '+966587654321', 'Omar', noon)).id
  for (let at = 1; at <= 7; at += 1) await openSession(`phone-${at}`, userId)
  await openSession('other', otherId)
  sent = []
  answers = new Map()
  await open(rfcSender.publicKey)
})
afterEach(() => database.close())

async function browserOf(token: string, user = userId) {
  const app = await openFeatureApp((app) => pushRoutes(core, routesFor(core, app)))
  const headers = { 'x-caller': JSON.stringify({ role: 'user', userId: user }), 'x-session': token }
  const browser = openBrowser(app, { lang: 'en' })
  return {
    read: async () => (await browser.get(path, headers)).json,
    subscribe: (body: object) => browser.post(path, body, headers),
    unsubscribe: () => browser.delete(path, undefined, headers),
  }
}

describe('a browser', () => {
  it('is subscribed, reads that it is, and ends it', async () => {
    const browser = await browserOf('phone-1')
    const { publicKey } = rfcSender
    expect(await browser.read()).toEqual({ success: true, publicKey, isOn: false })
    expect((await browser.subscribe(bodyOf('one'))).status).toBe(200)
    expect(await browser.read()).toEqual({ success: true, publicKey, isOn: true })
    expect(await (await browserOf('phone-2')).read()).toMatchObject({ isOn: false })
    expect((await browser.unsubscribe()).status).toBe(200)
    expect(await browser.read()).toMatchObject({ isOn: false })
    expect((await browser.unsubscribe()).status).toBe(200)
  })

  it('has one subscription, and a user a few', async () => {
    const first = await browserOf('phone-1')
    await first.subscribe(bodyOf('old'))
    await first.subscribe(bodyOf('one'))
    expect(await exportSubscriptions(core, userId)).toMatchObject([{ endpoint: endpointOf('one') }])
    for (let at = 2; at <= 7; at += 1) {
      clock.advance(1)
      await (await browserOf(`phone-${at}`)).subscribe(bodyOf(String(at)))
    }
    await sendPush(core, userId, message)
    expect(sent.map(({ endpoint }) => endpoint).sort()).toEqual(['3', '4', '5', '6', '7'].map(endpointOf))
    expect(sent).toHaveLength(pushRules.mostSubscriptions)
    expect(await exportSubscriptions(core, userId)).toHaveLength(pushRules.mostSubscriptions)
  })

  it('that another person signs in with gets the messages of that person only', async () => {
    await (await browserOf('phone-1')).subscribe(bodyOf('shared'))
    expect((await (await browserOf('other', otherId)).subscribe(bodyOf('shared'))).status).toBe(200)
    expect(await hasBrowser(core, userId)).toBe(false)
    expect(await hasBrowser(core, otherId)).toBe(true)
  })

  it('gets nothing once its session has ended', async () => {
    await (await browserOf('phone-1')).subscribe(bodyOf('one'))
    await deleteSession({ database }, hashOf('phone-1'))
    expect(await sendPush(core, userId, message)).toEqual({ result: 'none' })
    expect(sent).toEqual([])
  })

  it('with a subscription to an earlier key of the gateway counts as not subscribed', async () => {
    await (await browserOf('phone-1')).subscribe(bodyOf('one'))
    await open(rfcReader.p256dh)
    expect(await hasBrowser(core, userId)).toBe(false)
    expect(await (await browserOf('phone-1')).read()).toMatchObject({ isOn: false })
    await (await browserOf('phone-1')).subscribe(bodyOf('one'))
    expect(await hasBrowser(core, userId)).toBe(true)
  })
})

describe('an attack', () => {
  it.each([
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com@evil.example/x',
    'https://fcm.googleapis.com:25/x',
  ])('with another address is refused: %s', async (endpoint) => {
    const answer = await (await browserOf('phone-1')).subscribe(bodyOf('', { endpoint }))
    expect(problemOf(answer)).toMatchObject({ status: 422, code: 'PUSH_ENDPOINT_REFUSED' })
    expect(await hasBrowser(core, userId)).toBe(false)
  })

  it('that subscribes without end is stopped, and others are not', async () => {
    const attacker = await browserOf('phone-1')
    for (let count = 0; count < 20; count += 1)
      expect((await attacker.subscribe(bodyOf(`n${count}`))).status).toBe(200)
    expect(problemOf(await attacker.subscribe(bodyOf('more')))).toMatchObject({
      status: 429,
      code: 'TOO_MANY_CALLS',
    })
    expect((await (await browserOf('other', otherId)).subscribe(bodyOf('theirs'))).status).toBe(200)
  })

  it('that subscribes at the address of another user’s browser reads that it is taken', async () => {
    await (await browserOf('phone-1')).subscribe(bodyOf('one'))
    const foreign = await browserOf('other', otherId)
    expect(problemOf(await foreign.subscribe(bodyOf('one', { auth: 'A'.repeat(22) })))).toMatchObject({
      status: 409,
      code: 'PUSH_ENDPOINT_TAKEN',
    })
    expect(await foreign.read()).toMatchObject({ isOn: false })
  })

  it.each([
    ['a long address', { endpoint: `${endpointOf('')}${'x'.repeat(1_000)}` }],
    ['a key of another kind', { p256dh: `A${p256dh.slice(1)}` }],
    ['a key beside the curve', { p256dh: `B${'A'.repeat(86)}` }],
    ['a long key', { p256dh: `${p256dh}AA` }],
    ['a short secret', { auth: 'AAAA' }],
  ])('with %s is refused', async (_, change) => {
    const answer = await (await browserOf('phone-1')).subscribe(bodyOf('one', change))
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })
})

it('without keys of the gateway nothing is offered', async () => {
  await (await browserOf('phone-1')).subscribe(bodyOf('one'))
  await open(undefined)
  const browser = await browserOf('phone-1')
  expect(await browser.read()).toEqual({ success: true, publicKey: null, isOn: false })
  for (const answer of [await browser.subscribe(bodyOf('two')), await browser.unsubscribe()])
    expect(problemOf(answer)).toMatchObject({ status: 404, code: 'PUSH_NOT_OFFERED' })
  expect(await sendPush(core, userId, message)).toEqual({ result: 'none' })
})

describe('a message', () => {
  beforeEach(async () => {
    await (await browserOf('phone-1')).subscribe(bodyOf('one'))
    await (await browserOf('phone-2')).subscribe(bodyOf('two'))
  })

  it('goes to every browser of the user, and one that gets it is enough', async () => {
    answers.set(endpointOf('one'), { outcome: 'uncertain' })
    expect(await sendPush(core, userId, message)).toEqual({ result: 'accepted' })
    expect(sent).toHaveLength(2)
  })

  it('ends the subscriptions that are gone, and no others', async () => {
    answers.set(endpointOf('one'), { outcome: 'gone' })
    expect(await sendPush(core, userId, message)).toEqual({ result: 'accepted' })
    expect(await exportSubscriptions(core, userId)).toMatchObject([{ endpoint: endpointOf('two') }])
    answers.set(endpointOf('two'), { outcome: 'gone' })
    expect(await sendPush(core, userId, message)).toEqual({ result: 'none' })
    expect(await measured(core, 'amtiati_push_messages_total{outcome="gone"}')).toBe(2)
    expect(await measured(core, 'amtiati_push_messages_total{outcome="accepted"}')).toBe(1)
    expect(await hasBrowser(core, userId)).toBe(false)
  })

  it('that is too long is not sent', async () => {
    const text = 'م'.repeat(pushRules.mostBytes / 2 + 1)
    expect(await sendPush(core, userId, { ...message, text })).toEqual({ result: 'refused' })
    expect(sent).toEqual([])
  })
})
