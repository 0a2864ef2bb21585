import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordEvent } from '#server/features/history/history.ts'
import type { PushMessage } from '#server/features/push/push.provider.ts'
import type { PushResult } from '#server/features/push/push.rules.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import type { Worker } from '#server/platform/worker.ts'
import { isForReceiver } from '#shared/messages/messages.schemas.ts'
import { languages } from '#shared/platform/language.ts'
import { hour, type ManualClock, manualClock, minute, noon, second } from '#test/kit/clock.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { addMessage, cause } from '#test/kit/messages.ts'
import type { MessageProvider } from './messages.provider.ts'
import { isWarning, newsKinds } from './messages.rules.ts'
import { createMessages, type MessagesService } from './messages.service.ts'
import { createMessagesStore, type MessagesStore } from './messages.store.ts'
import { type MessageFacts, messageText } from './messages.texts.ts'
import { createMessageWorker } from './messages.worker.ts'

/** Push messages in place of SMS: the worker with both ways, each in memory. */

const phone = '+966512345678'
const publicUrl = 'https://amtiati.example'

let clock: ManualClock
let database: Database
let store: MessagesStore
let users: ReturnType<typeof createSessionsStore>
let messages: MessagesService
let worker: Worker
let userId: number
let hasBrowser: boolean
let pushed: PushMessage[]
let texted: string[]
/** The next results of pushes; `accepted` when there are none. `killed`: the process ends before the answer. */
let results: (PushResult | 'killed')[]

const unused = async (): Promise<never> => {
  throw new Error('the SMS service is not asked')
}
const provider: MessageProvider = {
  async send({ body }) {
    texted.push(body)
    return { outcome: 'accepted', report: { ref: `SM${texted.length}`, status: 'queued' } }
  },
  find: unused,
  read: unused,
  readCallback: () => ({ outcome: 'forged' }),
}

function open({ isSmsOn = true } = {}) {
  const metrics = createMetrics()
  const push = {
    hasBrowser: async () => hasBrowser,
    async send(_: number, message: PushMessage): Promise<PushResult> {
      pushed.push(message)
      const result = results.shift() ?? { result: 'accepted' }
      if (result === 'killed') throw new Error('killed')
      if (result.result === 'none') hasBrowser = false
      return result
    },
  }
  const both = {
    store,
    provider,
    users: createUsers({ database, store: users }),
    push,
    isEnabled: isSmsOn,
    clock,
    log: silentLog,
    metrics,
  }
  messages = createMessages({
    ...both,
    database,
    publicUrl,
    callbackUrl: publicUrl,
    hasMail: false,
    allowedCountries: undefined,
  })
  worker = createMessageWorker({
    ...both,
    messages,
    mail: undefined,
    findFacts: async () => facts,
    findRecipient: ({ user_id }) => both.users.findRecipient(user_id),
    quietMs: 2 * minute,
    dailyBudget: 100,
  })
}

beforeEach(async () => {
  clock = manualClock()
  database = await openMemory(clock)
  store = createMessagesStore(database)
  users = createSessionsStore(database)
  userId = (await users.ensureUser(phone, 'Maryam', noon)).id
  hasBrowser = true
  pushed = []
  texted = []
  results = []
  open()
})
afterEach(() => database.close())

const facts: MessageFacts = {
  awbs: ['231200021879'],
  awaitsAwb: false,
  isPaid: true,
  place: { addressAR: 'الملز، شارع الأحساء', addressEN: 'ف'.repeat(40), city: 'Riyadh' },
  returned: { amount: 4_900, currency: 'SAR' },
}
const bag = { orderId: 42, bookingId: 7 }
const announce = () => cause(database, { kind: 'at-branch', ...bag, userId })
async function work(): Promise<void> {
  for (let run = 0; run < 3; run += 1) {
    worker.start()
    await worker.stop()
  }
}
/** Announces, and runs what is due then. */
async function told(): Promise<void> {
  await announce()
  await work()
}
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await work()
}
const only = async () => (await store.listMessages(userId, 10))[0]
const later: PushResult = { result: 'later', waitMs: 30 * second }

const ownersKinds = newsKinds.filter((kind) => !isForReceiver(kind) && !isWarning(kind))

describe('a message to a person with push messages', () => {
  it('goes by push, once, and not by SMS', async () => {
    await told()
    await pass(hour)
    expect([pushed.length, texted]).toEqual([1, []])
    expect(await only()).toMatchObject({ state: 'accepted', push: 'accepted', due_at: null, sends: 0 })
    expect(await messages.exportMessages(userId)).toMatchObject([{ channel: 'push' }])
    expect(await store.countSends(0)).toBe(0)
  })

  it('replaces an unread one about the same claim, and none about another', async () => {
    const question = { kind: 'claim-question', data: { personal: null }, by: { kind: 'system' } } as const
    for (const claimId of [3, 4, 3])
      await database.transaction(() => recordEvent({ database }, { ...question, ...bag, userId, claimId }))
    await work()
    expect(pushed.map(({ topic }) => topic).toSorted()).toEqual(['c3', 'c3', 'c4'])
  })

  it('has the declarative form, in the language of the person, and opens the order', async () => {
    await told()
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

  it.each(Object.keys(languages))('says no more than its SMS in %s, in less than 2 kB', async (language) => {
    await users.setLanguage(userId, language)
    const order = { order_id: 999_999_999, booking_id: 999_999_999, user_id: userId }
    for (const kind of ownersKinds) await addMessage(database, { ...order, kind })
    // Messages about one bag follow each other.
    for (let round = 0; round < ownersKinds.length; round += 1) await pass(2 * second)
    expect(pushed).toHaveLength(ownersKinds.length)
    const texts = new Set(
      ownersKinds.map((kind) => messageText(language, { ...facts, kind, orderId: 999_999_999 })),
    )
    for (const { text, topic } of pushed) {
      const { title, body } = JSON.parse(text).notification
      expect([...texts].map((each) => each.toLowerCase())).toContain(`${title}: ${body}`.toLowerCase())
      expect(Buffer.byteLength(text)).toBeLessThan(2_000)
      expect(topic).toMatch(/^[\w-]{1,32}$/)
    }
  })

  it('goes by SMS when the last subscription is gone', async () => {
    results.push({ result: 'none' })
    await told()
    expect([pushed.length, texted.length]).toEqual([1, 1])
    expect(await messages.exportMessages(userId)).toMatchObject([{ channel: 'sms' }])
  })

  it('goes by SMS when it is refused', async () => {
    results.push({ result: 'refused' })
    await told()
    await pass(hour / 2)
    expect([pushed.length, texted.length]).toEqual([1, 1])
    expect(await only()).toMatchObject({ push: 'failed' })
  })

  it('goes by SMS when it is not known whether it was pushed, and is never pushed again', async () => {
    results.push({ result: 'uncertain' })
    await told()
    await pass(hour / 2)
    expect([pushed.length, texted.length]).toEqual([1, 1])
    expect(await only()).toMatchObject({ push: 'asked', state: 'accepted', ref: 'SM1' })
  })

  it('waits for a busy service, and is pushed then', async () => {
    results.push(later)
    await told()
    await pass(29 * second)
    expect([pushed.length, texted.length]).toEqual([1, 0])
    await pass(second)
    expect([pushed.length, texted.length]).toEqual([2, 0])
    expect(await only()).toMatchObject({ push: 'accepted' })
  })

  it('that was held is as patient with a busy service, from when it is due', async () => {
    const held = { kind: 'handed-over', heldUntil: noon + 10 * minute } as const
    await cause(database, { ...held, ...bag, userId })
    results.push(later)
    await pass(10 * minute)
    await pass(30 * second)
    expect([pushed.length, texted.length]).toEqual([2, 0])
  })

  it('that waited for its day is kept by the service for a day from then on', async () => {
    await cause(database, { kind: 'late', ...bag, userId, heldUntil: noon + 9 * 24 * hour })
    await pass(9 * 24 * hour)
    expect(pushed.map(({ lifeMs }) => lifeMs)).toEqual([24 * hour])
  })

  it('goes by SMS when the service is busy for ten minutes', async () => {
    results.push(...Array.from({ length: 40 }, () => later))
    await announce()
    for (let waited = 0; waited < 11; waited += 1) await pass(minute)
    expect(texted).toHaveLength(1)
    expect(await only()).toMatchObject({ push: 'failed' })
  })
})

describe('a person who wants no SMS', () => {
  beforeEach(async () => {
    await users.updateUser(userId, { messages: 0 })
  })

  it('gets push messages, and no SMS in their place', async () => {
    await told()
    expect([pushed.length, texted.length]).toEqual([1, 0])
  })

  it.each(['uncertain', 'refused'] as const)('gets no SMS after a push that is %s', async (result) => {
    results.push({ result })
    await told()
    await pass(hour)
    expect([pushed.length, texted.length]).toEqual([1, 0])
    expect(await only()).toMatchObject({ state: 'failed', last_error: 'push' })
  })

  it('gets a message as long as the service is busy, up to a day', async () => {
    results.push(...Array.from({ length: 30 }, () => later))
    await announce()
    for (let waited = 0; waited < 20; waited += 1) await pass(hour / 2)
    expect(await only()).toMatchObject({ state: 'waiting', push: null })
    await pass(24 * hour)
    expect(await only()).toMatchObject({ state: 'dropped', last_error: 'too late' })
  })

  it('gets none when the subscription is gone', async () => {
    results.push({ result: 'none' })
    await told()
    expect(await only()).toMatchObject({ state: 'dropped', last_error: 'not wanted' })
    await told()
    expect(await store.listMessages(userId, 10)).toHaveLength(1)
  })
})

describe('where SMS are switched off', () => {
  beforeEach(() => open({ isSmsOn: false }))

  it('push messages go out', async () => {
    await told()
    expect([pushed.length, texted.length]).toEqual([1, 0])
  })

  it('nothing is announced to a person without push messages', async () => {
    hasBrowser = false
    await told()
    expect(await only()).toBeUndefined()
  })

  it('what could go by SMS only waits until they are on again', async () => {
    open()
    results.push(later)
    await told()
    hasBrowser = false
    open({ isSmsOn: false })
    await pass(minute)
    expect(await only()).toMatchObject({ state: 'waiting' })
    open()
    await pass(15 * minute)
    expect(texted).toHaveLength(1)
  })

  it('the SMS service is not asked about earlier messages', async () => {
    open()
    hasBrowser = false
    await told()
    open({ isSmsOn: false })
    await pass(2 * hour)
    expect(await only()).toMatchObject({ state: 'accepted', checks: 0 })
  })
})
