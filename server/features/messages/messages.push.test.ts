import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { insertClaim } from '#server/features/claims/claims.queries.ts'
import { recordEvent } from '#server/features/history/history.ts'
import type { PushMessage, PushProvider } from '#server/features/push/push.provider.ts'
import type { PushOutcome } from '#server/features/push/push.rules.ts'
import { changeUser, ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Worker } from '#server/platform/worker.ts'
import { isForReceiver } from '#shared/messages/messages.rules.ts'
import { languages } from '#shared/platform/language.ts'
import { hour, type ManualClock, manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { patientLimits } from '#test/kit/basics/patience.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { type Cause, cause } from '#test/kit/orders/messages.ts'
import { addBag, addBrowser, recordBagStep, removeBrowsers, runOutbox } from '#test/kit/orders/outbox.ts'
import { bagEvent } from '#test/kit/orders/stored-orders.ts'
import { outbox } from './messages.jobs.ts'
import type { MessageProvider } from './messages.provider.ts'
import { countSends, listMessages } from './messages.queries.ts'
import { isWarning, orderKinds } from './messages.rules.ts'
import { type MessageFacts, messageText } from './messages.texts.ts'
import { exportMessages } from './messages.ts'
import { notificationOf, topicOf } from './notification.ts'

const phone = '+966512345678'
const publicUrl = 'https://amtiati.example'

let clock: ManualClock
let database: Database
let core: Core
let worker: Worker
let userId: number
let pushed: PushMessage[]
let texted: string[]
/** The next answers of the push service, which otherwise accepts. */
let answers: PushOutcome[]

const unused = async (): Promise<never> => {
  throw new Error('the SMS service is not asked')
}
const messages: MessageProvider = {
  async send({ body }) {
    texted.push(body)
    return { outcome: 'accepted', report: { ref: `SM${texted.length}`, status: 'queued' } }
  },
  find: unused,
  read: unused,
  readCallback: () => ({ outcome: 'forged' }),
}
const push: PushProvider = {
  publicKey: 'key',
  async send(_, message) {
    pushed.push(message)
    return answers.shift() ?? { outcome: 'accepted' }
  },
}

async function open({ isSmsOn = true } = {}): Promise<void> {
  const config = {
    PUBLIC_URL: publicUrl,
    MESSAGES_ENABLED: isSmsOn,
    limits: { ...patientLimits, messagesPerDay: 100 },
    ALLOWED_PHONE_COUNTRIES: undefined,
  }
  core = await openCore({ database, clock }, { config, providers: { messages, push, mail: undefined } })
  worker = outbox(core)
}

const place = { addressAR: 'الملز، شارع الأحساء', addressEN: 'ف'.repeat(40), city: 'Riyadh' }
const bag = { orderId: 42, bookingId: 7 }

beforeEach(async () => {
  clock = manualClock()
  database = await openMemory(clock)
  userId = (await ensureUser({ database }, phone, 'Maryam', noon)).id
  pushed = []
  texted = []
  answers = []
  await open()
  await addBrowser(core, userId)
  const promises = { transitDays: { default: [2, 4] as [number, number] } }
  await addBag(database, { ...bag, userId, promises }, { destination: JSON.stringify(place) })
})
afterEach(() => database.close())

const causeMessage = (change: Partial<Cause> = {}) =>
  cause(database, { kind: 'at-branch', ...bag, userId, ...change })
const work = () => runOutbox(worker, 3)
/** Records an event, and runs the messages that are due then. */
async function causeAndSend(): Promise<void> {
  await causeMessage()
  await work()
}
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await work()
}
const rows = () => listMessages(core, userId, 10)
const only = async () => (await rows())[0]
const later: PushOutcome = { outcome: 'busy', waitMs: 30 * second }

const ownersKinds = orderKinds.filter((kind) => !isForReceiver(kind) && !isWarning(kind))

describe('a message to a person with push messages', () => {
  it('goes by push, once, and not by SMS', async () => {
    await causeAndSend()
    await pass(hour)
    expect([pushed.length, texted]).toEqual([1, []])
    expect(await only()).toMatchObject({ state: 'accepted', push: 'accepted', due_at: null, sends: 0 })
    expect(await exportMessages(core, userId)).toMatchObject([{ channel: 'push' }])
    expect(await countSends(core, 0)).toBe(0)
  })

  it('replaces an unread one about the same claim, and none about another', async () => {
    for (const kind of ['other', 'damaged'] as const)
      await insertClaim(core, {
        user_id: userId,
        order_id: 42,
        booking_id: 7,
        kind,
        idem_key: null,
        body_hash: 'hash',
        opened_at: noon,
        answer_by: noon,
      })
    const question = { kind: 'claim-question', data: { personal: null }, by: { kind: 'system' } } as const
    for (const claimId of [1, 2, 1])
      await database.transaction(() => recordEvent(core, { ...question, ...bag, userId, claimId }))
    await work()
    expect(pushed.map(({ topic }) => topic).toSorted()).toEqual(['c1', 'c1', 'c2'])
  })

  it('has the declarative form, in the language of the person, and opens the order', async () => {
    await causeAndSend()
    expect(JSON.parse(pushed[0]?.text ?? '')).toEqual({
      web_push: 8030,
      notification: {
        title: 'أمتعتي',
        body: 'حقيبتك 231200021879 جاهزة للاستلام من فرع الملز، شارع الأحساء، الرياض. أحضر الباركود وهويتك.',
        lang: 'ar',
        dir: 'rtl',
        tag: expect.stringMatching(/^at-branch-\d+$/),
        navigate: 'https://amtiati.example/orders/42',
      },
    })
    expect(pushed[0]).toMatchObject({ topic: 'o42-7', lifeMs: 24 * hour })
  })

  it.each(Object.keys(languages))('says the same as its SMS in %s, in less than 2 kB', (language) => {
    const facts: MessageFacts = {
      awbs: ['231200021879'],
      awaitsAwb: false,
      isPaid: true,
      place,
      returned: { amount: 4_900, currency: 'SAR' },
    }
    const last = { order_id: 999_999_999, booking_id: 999_999_999, event_id: 999_999_999 }
    for (const kind of ownersKinds) {
      const sms = messageText(language, { ...facts, kind, orderId: last.order_id })
      const text = notificationOf({ ...last, kind, body: sms }, `${publicUrl}/orders/${last.order_id}`)
      const { title, body } = JSON.parse(text).notification
      expect(`${title}: ${body}`.toLowerCase()).toBe(sms.toLowerCase())
      expect(Buffer.byteLength(text)).toBeLessThan(2_000)
    }
    expect(topicOf(last, undefined)).toMatch(/^[\w-]{1,32}$/)
  })

  it('goes by SMS when the last subscription is gone', async () => {
    answers.push({ outcome: 'gone' })
    await causeAndSend()
    expect([pushed.length, texted.length]).toEqual([1, 1])
    expect(await exportMessages(core, userId)).toMatchObject([{ channel: 'sms' }])
  })

  it('goes by SMS when it is refused', async () => {
    answers.push({ outcome: 'refused' })
    await causeAndSend()
    await pass(hour / 2)
    expect([pushed.length, texted.length]).toEqual([1, 1])
    expect(await only()).toMatchObject({ push: 'failed' })
  })

  it('goes by SMS when it is not known whether it was pushed, and is never pushed again', async () => {
    answers.push({ outcome: 'uncertain' })
    await causeAndSend()
    await pass(hour / 2)
    expect([pushed.length, texted.length]).toEqual([1, 1])
    expect(await only()).toMatchObject({ push: 'asked', state: 'accepted', ref: 'SM1' })
  })

  it('waits for a busy service, and is pushed then', async () => {
    answers.push(later)
    await causeAndSend()
    await pass(29 * second)
    expect([pushed.length, texted.length]).toEqual([1, 0])
    await pass(second)
    expect([pushed.length, texted.length]).toEqual([2, 0])
    expect(await only()).toMatchObject({ push: 'accepted' })
  })

  it('that was held is as patient with a busy service, from when it is due', async () => {
    await causeMessage({ kind: 'handed-over', heldUntil: noon + 10 * minute })
    answers.push(later)
    await pass(10 * minute)
    await pass(30 * second)
    expect([pushed.length, texted.length]).toEqual([2, 0])
  })

  it('that waited for its day is kept by the service for a day from then on', async () => {
    await causeMessage({ kind: 'late', heldUntil: noon + 9 * 24 * hour })
    await recordBagStep(database, bag, bagEvent('handed-over', noon))
    await pass(9 * 24 * hour)
    expect(pushed.map(({ lifeMs }) => lifeMs)).toEqual([24 * hour])
  })

  it('goes by SMS when the service is busy for ten minutes', async () => {
    answers.push(...Array.from({ length: 40 }, () => later))
    await causeMessage()
    for (let waited = 0; waited < 11; waited += 1) await pass(minute)
    expect(texted).toHaveLength(1)
    expect(await only()).toMatchObject({ push: 'failed' })
  })
})

describe('a person who wants no SMS', () => {
  beforeEach(async () => {
    await changeUser({ database }, userId, { messages: 0 })
  })

  it('gets push messages, and no SMS in their place', async () => {
    await causeAndSend()
    expect([pushed.length, texted.length]).toEqual([1, 0])
  })

  it.each(['uncertain', 'refused'] as const)('gets no SMS after a push that is %s', async (outcome) => {
    answers.push({ outcome })
    await causeAndSend()
    await pass(hour)
    expect([pushed.length, texted.length]).toEqual([1, 0])
    expect(await only()).toMatchObject({ state: 'failed', last_error: 'push' })
  })

  it('gets a message as long as the service is busy, up to a day', async () => {
    answers.push(...Array.from({ length: 30 }, () => later))
    await causeMessage()
    for (let waited = 0; waited < 20; waited += 1) await pass(hour / 2)
    expect(await only()).toMatchObject({ state: 'waiting', push: null })
    await pass(24 * hour)
    expect(await only()).toMatchObject({ state: 'dropped', last_error: 'too late' })
  })

  it('gets none when the subscription is gone', async () => {
    answers.push({ outcome: 'gone' })
    await causeAndSend()
    expect(await only()).toMatchObject({ state: 'dropped', last_error: 'not wanted' })
    await causeAndSend()
    expect(await rows()).toHaveLength(1)
  })
})

describe('where SMS are switched off', () => {
  beforeEach(() => open({ isSmsOn: false }))

  it('push messages go out', async () => {
    await causeAndSend()
    expect([pushed.length, texted.length]).toEqual([1, 0])
  })

  it('a person without push messages gets none', async () => {
    await removeBrowsers(database)
    await causeAndSend()
    expect(await only()).toBeUndefined()
  })

  it('what could go by SMS only waits until they are on again', async () => {
    await open()
    answers.push(later)
    await causeAndSend()
    await removeBrowsers(database)
    await open({ isSmsOn: false })
    await pass(minute)
    expect(await only()).toMatchObject({ state: 'waiting' })
    await open()
    await pass(15 * minute)
    expect(texted).toHaveLength(1)
  })

  it('the SMS service is not asked about earlier messages', async () => {
    await open()
    await removeBrowsers(database)
    await causeAndSend()
    await open({ isSmsOn: false })
    await pass(2 * hour)
    expect(await only()).toMatchObject({ state: 'accepted', checks: 0 })
  })
})
