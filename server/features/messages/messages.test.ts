import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { insertClaim } from '#server/features/claims/claims.queries.ts'
import { type NewEvent, recordEvent } from '#server/features/history/history.ts'
import type { PushProvider } from '#server/features/push/push.provider.ts'
import {
  changePhone,
  changeUser,
  ensureUser,
  findUserByPhone,
  markUserDeleted,
  refuseSms,
  setLanguage,
} from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { freeLeases } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { createExternalService } from '#server/platform/external-service.ts'
import type { Worker } from '#server/platform/worker.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { callbackSignatureText } from '#shared/wire/messaging/messaging.wire.ts'
import { day, hour, type ManualClock, manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { patientLimits } from '#test/kit/basics/patience.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openFeatureApp, routesFor, silentLog } from '#test/kit/gateway/feature-app.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { addMessage, type Cause, cause } from '#test/kit/orders/messages.ts'
import { addBag, addBrowser, awbOf, changeBag, recordBagStep, runOutbox } from '#test/kit/orders/outbox.ts'
import { bagEvent } from '#test/kit/orders/stored-orders.ts'
import type { MailProvider } from './mail.provider.ts'
import { takeReport } from './message-reports.ts'
import { outbox } from './messages.jobs.ts'
import { createMessageProvider } from './messages.provider.http.ts'
import type { DeliveryReport, MessageProvider, SendOutcome } from './messages.provider.ts'
import { beginSend, leaseMessage, listMessages, readBacklog, writeMessage } from './messages.queries.ts'
import { messagesRoutes } from './messages.routes.ts'
import { messageText } from './messages.texts.ts'
import { canWarn, exportMessages } from './messages.ts'

const phone = '+966512345678'
/** GatewayLimits.messageQuietMs */
const quietMs = 2 * minute
const accountSid = 'AC0123456789abcdef0123456789abcdef'
const authToken = '12345'
const callbackUrl = 'https://example.com'

interface Sent {
  readonly phone: string
  readonly body: string
  readonly statusUrl: string
  readonly ref: string
  readonly at: number
}

/** An SMS service in memory. `next` decides the next answers; otherwise a message is sent. */
function providerDouble(clock: ManualClock) {
  const sent: Sent[] = []
  const calls = { send: 0, find: 0, read: 0 }
  const statuses = new Map<string, DeliveryReport>()
  const next: (SendOutcome | 'lost-after' | 'lost-before')[] = []
  let isDown = false
  const down = () => {
    if (isDown) throw new Error('down')
  }
  const real = createMessageProvider(
    { baseUrl: 'http://unused.example', accountSid, authToken, from: 'Amtiati' },
    createExternalService('unused'),
  )
  const provider: MessageProvider = {
    async send({ phone, body, statusUrl }) {
      calls.send += 1
      const answer = isDown ? 'lost-before' : next.shift()
      if (typeof answer === 'object') return answer
      const ref = `SM${sent.length + 1}`
      if (answer !== 'lost-before') sent.push({ phone, body, statusUrl, ref, at: clock.now() })
      if (answer !== undefined) return { outcome: 'unavailable', isCertain: false }
      return { outcome: 'accepted', report: { ref, status: 'queued' } }
    },
    async find({ phone, body, isSame, since, except }) {
      calls.find += 1
      down()
      const found = sent.findLast(
        (each) =>
          each.phone === phone &&
          (each.body === body || isSame?.(each.body)) &&
          each.at >= since &&
          each.ref !== except,
      )
      return found && { ref: found.ref, status: 'queued' }
    },
    async read(ref) {
      calls.read += 1
      down()
      return statuses.get(ref)
    },
    readCallback: real.readCallback,
  }
  return {
    provider,
    sent,
    calls,
    next,
    statuses,
    setDown(value: boolean) {
      isDown = value
    },
  }
}

let clock: ManualClock
let database: Database
let core: Core
let worker: Worker
let double: ReturnType<typeof providerDouble>
let userId: number
let alarms: string[]
/** Columns of the bags that `causeMessage` stores. */
let newBag: Partial<Row<'bookings'>>
/** Days that a new order promises. */
let promises: Promises | undefined

const push: PushProvider = { publicKey: 'key', send: async () => ({ outcome: 'accepted' }) }
const mail: MailProvider = {
  send: async () => ({ outcome: 'accepted' }),
  check: async () => ({ isEncrypted: true, isSignedIn: true }),
}

async function open({
  dailyBudget = 100,
  isEnabled = true,
  hasMail = false,
  countries,
}: {
  dailyBudget?: number
  isEnabled?: boolean
  hasMail?: boolean
  countries?: readonly string[]
} = {}): Promise<void> {
  const config = {
    CALLBACK_URL: callbackUrl,
    MESSAGES_ENABLED: isEnabled,
    limits: { ...patientLimits, messagesPerDay: dailyBudget },
    ALLOWED_PHONE_COUNTRIES: countries && [...countries],
  }
  const providers = {
    messages: double.provider,
    mail: hasMail ? mail : undefined,
    push,
  }
  const opened = await openCore({ database, clock }, { config, providers })
  const log = {
    ...silentLog,
    info: () => {},
    warn: () => {},
    error: (line: { event: string; reason?: string }) =>
      alarms.push(`${line.event} ${line.reason ?? ''}`.trim()),
  } as unknown as typeof silentLog
  core = { ...opened, log }
  worker = outbox(core)
}

beforeEach(async () => {
  clock = manualClock()
  database = await openMemory(clock)
  userId = (await ensureUser({ database }, phone, 'Maryam', noon)).id
  double = providerDouble(clock)
  alarms = []
  newBag = {}
  promises = undefined
  await open()
})
afterEach(() => database.close())

const plain = { awbs: [], awaitsAwb: false, place: null, isPaid: true, returned: null }
/** The bag of an order whose event names no bag. */
const bagOf = (orderId: number) => (orderId === 42 ? 7 : orderId)
/** A payment with the airway bills of its order, unless `change` says otherwise. */
async function causeMessage(change: Partial<Cause> = {}): Promise<void> {
  const { orderId = 42 } = change
  const news = { orderId, bookingId: bagOf(orderId), userId, ...change }
  await addBag(database, { ...news, bookingId: news.bookingId ?? bagOf(orderId), promises }, newBag)
  if (change.kind) return cause(database, { ...news, kind: change.kind })
  await cause(database, { ...news, kind: 'paid', bookingId: undefined })
  await cause(database, { ...news, kind: 'label-issued' })
}
async function arriveForReceiver(orderId: number, bookingId: number): Promise<void> {
  await addBag(database, { userId, orderId, bookingId }, newBag)
  await addMessage(database, {
    user_id: userId,
    order_id: orderId,
    booking_id: bookingId,
    kind: 'receiver-at-branch',
  })
}
const bagStep = (...of: Parameters<typeof bagEvent>) =>
  recordBagStep(database, { orderId: 42, bookingId: 7 }, bagEvent(...of))

const work = () => runOutbox(worker, 4)
/** Records an event, and runs the messages that are due then. */
async function causeAndSend(change: Partial<Cause> = {}): Promise<void> {
  await causeMessage(change)
  await work()
}
/** Advances the clock and runs the worker. */
async function pass(ms: number, step = 15 * second): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(Math.min(step, ms - passed))
    await work()
  }
}
const rows = () => listMessages(core, userId, 10)
const only = async () => {
  const [row] = await rows()
  if (!row) throw new Error('there is no message')
  return row
}

describe('an arrival', () => {
  const arrival = (eventId: number) => causeMessage({ kind: 'at-branch', eventId })

  it('has a message each time, with another time in its text, and one for its event', async () => {
    await arrival(5)
    await arrival(5)
    await work()
    clock.advance(hour)
    await arrival(9)
    await work()
    const [first = '', second = '', ...more] = double.sent.map(({ body }) => body)
    expect(more).toEqual([])
    expect(first).not.toContain('(')
    expect(second.startsWith(first)).toBe(true)
    expect(second.slice(first.length)).toMatch(/^ \(.+\)$/)
  })

  it('that was not sent before the next one is overtaken', async () => {
    await arrival(5)
    await arrival(9)
    await pass(minute)
    expect(double.sent).toHaveLength(1)
    expect((await rows()).map((row) => [row.event_id, row.last_error])).toEqual([
      [9, null],
      [5, 'overtaken'],
    ])
  })
})

describe('a claim', () => {
  const subject = () => ({ by: { kind: 'system' }, claimId: 1, orderId: 42, userId }) as const
  const record = (event: NewEvent) => database.transaction(() => recordEvent(core, event))
  const answer = () => record({ ...subject(), kind: 'claim-answered', data: { personal: null } })
  beforeEach(async () => {
    await addBag(database, { userId, orderId: 42, bookingId: 7 })
    await insertClaim(core, {
      user_id: userId,
      order_id: 42,
      booking_id: 7,
      kind: 'other',
      idem_key: null,
      body_hash: 'hash',
      opened_at: noon,
      answer_by: noon + day,
    })
  })

  it('has one message for each step, and none for a step that is over', async () => {
    await answer()
    await pass(minute)
    const text = 'أمتعتي: رددنا على بلاغك CL-1. تجد الرد في صفحة الطلب OD-42.'
    expect(double.sent.map(({ body }) => body)).toEqual([text])
    await answer()
    await pass(minute)
    expect(double.sent.map(({ body }) => body)).toEqual([text, expect.stringMatching(/OD-42\. \(.+\)$/)])
    // The claim was answered meanwhile, so it is not late.
    await record({ ...subject(), kind: 'claim-late', data: {} })
    await pass(minute)
    expect(double.sent).toHaveLength(2)
    expect(await only()).toMatchObject({ kind: 'claim-late', state: 'dropped', last_error: 'overtaken' })
  })
})

describe('the receiver of a bag', () => {
  const theirs = '+962790000000'
  beforeEach(() => {
    newBag = { receiver_phone: theirs }
  })

  it('gets messages in the owner’s language, under the number named last, although the owner wants no SMS', async () => {
    await setLanguage({ database }, userId, 'en')
    await changeUser({ database }, userId, { messages: 0 })
    await causeAndSend({ kind: 'receiver-named' })
    await causeAndSend({ kind: 'at-branch' })
    expect(double.sent).toMatchObject([
      {
        phone: theirs,
        body: 'Amtiati: Maryam named you to collect bag 231200021879. We text you when it is there.',
      },
    ])
  })

  it.each([
    ['has no phone', () => (newBag = {})],
    ['has the owner’s phone', () => (newBag = { receiver_phone: phone })],
    ['is of a country that gets no SMS', () => open({ countries: ['SA'] })],
  ])('who %s gets no message', async (_, prepare) => {
    await prepare()
    await causeAndSend({ kind: 'receiver-named' })
    expect([double.calls.send, await rows()]).toEqual([0, []])
  })

  it.each([
    ['whose account turned messages off', (id: number) => changeUser({ database }, id, { messages: 0 })],
    ['whose account’s number refuses SMS', (id: number) => refuseSms({ database }, id, theirs, 'opted-out')],
  ])('%s gets no message', async (_, refuse) => {
    await refuse((await ensureUser({ database }, theirs, 'Sami', noon)).id)
    await causeAndSend({ kind: 'receiver-named' })
    expect([double.calls.send, await rows()]).toEqual([0, []])
  })

  it('with an account that wants messages gets them', async () => {
    await ensureUser({ database }, theirs, 'Sami', noon)
    await causeAndSend({ kind: 'receiver-named' })
    expect(double.sent).toMatchObject([{ phone: theirs }])
  })

  it.each(['opted-out', 'phone'] as const)('that refused once is never asked again: %s', async (reason) => {
    double.next.push({ outcome: 'refused', fault: { reason, code: 21610 } })
    await causeAndSend({ kind: 'receiver-named' })
    await arriveForReceiver(43, 8)
    await work()
    expect([double.calls.send, (await rows()).length]).toEqual([1, 1])
  })

  it('gets messages about three bags a day, and about each arrival', async () => {
    for (let bag = 1; bag <= 5; bag += 1) await causeAndSend({ kind: 'receiver-named', bookingId: bag })
    expect(double.calls.send).toBe(3)
    await arriveForReceiver(42, 5)
    await work()
    expect(double.calls.send).toBe(4)
    clock.advance(25 * 60 * minute)
    // The provider is first asked about the others.
    await work()
    await causeAndSend({ kind: 'receiver-named', bookingId: 6 })
    expect(double.calls.send).toBe(5)
  })

  it('gets ten a day for one owner', async () => {
    for (let bag = 1; bag <= 12; bag += 1) {
      newBag = { receiver_phone: `+9627900000${10 + bag}` }
      await causeAndSend({ kind: 'receiver-named', bookingId: bag })
    }
    expect(double.calls.send).toBe(10)
  })

  it('gets nothing in the owner’s browsers, where no SMS are sent', async () => {
    await open({ isEnabled: false })
    await addBrowser(core, userId)
    await causeAndSend({ kind: 'receiver-named' })
    expect(await rows()).toEqual([])
  })

  it('with a wrong number holds up no message of the owner, and takes none away', async () => {
    double.next.push('lost-before')
    await causeMessage({ kind: 'receiver-named' })
    await causeAndSend({ kind: 'at-branch' })
    expect(double.sent.map((each) => each.phone)).toEqual([phone])
    double.next.push({ outcome: 'refused', fault: { reason: 'phone', code: 21211 } })
    await pass(5 * minute)
    expect(await rows()).toMatchObject([
      { kind: 'at-branch', state: 'accepted' },
      { kind: 'receiver-named', state: 'failed', last_error: 'phone 21211' },
    ])
    await causeAndSend({ kind: 'collected' })
    expect(double.sent.map((each) => each.phone)).toEqual([phone, phone])
  })
})

describe('another receiver', () => {
  const change = { kind: 'receiver-changed', bookingId: undefined } as const
  beforeEach(() => {
    newBag = { receiver_name: 'Huda Omar' }
  })

  it('is sent to the number of the owner at once, also without messages and beside a browser, and each time', async () => {
    await addBrowser(core, userId)
    await setLanguage({ database }, userId, 'en')
    await changeUser({ database }, userId, { messages: 0 })
    await causeAndSend(change)
    clock.advance(minute)
    await causeAndSend(change)
    expect(double.sent.map(({ phone: to, body }) => [to, body])).toEqual([
      [phone, 'Amtiati: OD-42: Huda Omar now collects your bag (Friday 12:00). Not you? Contact us at once.'],
      [phone, 'Amtiati: OD-42: Huda Omar now collects your bag (Friday 12:01). Not you? Contact us at once.'],
    ])
    expect(await canWarn(core, userId)).toBe(true)
  })

  it('waits for no earlier message of the order', async () => {
    double.next.push({ outcome: 'refused', fault: { reason: 'setup', code: 21408 } })
    await causeAndSend()
    await causeAndSend(change)
    expect(double.sent.map(({ body }) => body)).toEqual([expect.stringContaining('Huda Omar')])
  })

  it.each([
    ['no SMS are sent', () => open({ isEnabled: false })],
    ['the number refuses them', () => refuseSms({ database }, userId, phone, 'opted-out')],
  ])('has no SMS where %s: the letter is left', async (_, prepare) => {
    await prepare()
    await causeMessage(change)
    await work()
    expect([double.calls.send, await rows()]).toEqual([0, []])
  })

  it.each([
    ['no SMS are sent and the owner has no address', { isEnabled: false, hasMail: true }],
    ['neither SMS nor letters are sent', { isEnabled: false }],
    ['the country of the number gets no SMS', { countries: ['EG'] }],
  ])('gets no message where %s', async (_, options) => {
    await open(options)
    await causeAndSend(change)
    expect([await canWarn(core, userId), await rows()]).toEqual([false, []])
  })
})

describe('a recorded message', () => {
  /** A bag that was handed over at noon arrives on 19 January at the latest. */
  const arrivesBy19: Promises = { transitDays: { default: [2, 4] } }

  it('becomes one message, in the language of the person, with the address for its status', async () => {
    await setLanguage({ database }, userId, 'en')
    await causeAndSend()
    expect(double.sent).toEqual([
      {
        phone,
        body: "Amtiati: order OD-42 is paid. Your bag's airway bill: 231200021879.",
        statusUrl: `https://example.com/api/messages/callback?message=${(await only()).id}.`,
        ref: 'SM1',
        at: noon,
      },
    ])
    await pass(10 * minute, minute)
    expect(double.calls.send).toBe(1)
  })

  it('is no message where messages are off', async () => {
    await open({ isEnabled: false })
    await causeAndSend()
    expect([double.calls.send, await rows()]).toEqual([0, []])
  })

  it.each([
    ['the person does not want any', () => changeUser({ database }, userId, { messages: 0 })],
    ['the phone cannot get SMS', () => refuseSms({ database }, userId, phone, 'phone')],
    ['the account is deleted', () => markUserDeleted({ database }, userId, phone, noon)],
  ])('is no message when %s, and none that waits is sent any more', async (_, change) => {
    double.next.push({ outcome: 'refused', fault: { reason: 'busy', code: 20429 } })
    await causeAndSend({ kind: 'handed-over' })
    await change()
    await causeMessage()
    await pass(2 * minute, minute)
    expect(double.calls.send).toBe(1)
    expect(await rows()).toMatchObject([{ kind: 'handed-over', state: 'dropped', last_error: 'not wanted' }])
  })

  it('is not read before the worker writes its text, which cannot fail the event it is about', async () => {
    newBag = { destination: 'not JSON' }
    await causeAndSend({ kind: 'at-branch' })
    expect(await only()).toMatchObject({ kind: 'at-branch', state: 'waiting', phone: '', body: '' })
    expect(await exportMessages(core, userId)).toEqual([])
    await changeBag(database, 7, { destination: '{}' })
    await pass(minute)
    expect(double.sent).toHaveLength(1)
  })

  it('of what is not so any more ends without a text, in the export too, and is not tried again', async () => {
    newBag = { carriage: 'void' }
    await causeAndSend()
    expect(await only()).toMatchObject({ state: 'dropped', last_error: 'overtaken', due_at: null })
    expect(await exportMessages(core, userId)).toMatchObject([{ about: 'paid', state: 'dropped', text: '' }])
    expect(double.calls.send).toBe(0)
  })

  it('of a hand-over that is undone is deleted, and the next one has its own', async () => {
    await causeMessage({ kind: 'handed-over', heldUntil: noon + 10 * minute })
    await causeMessage({ kind: 'handed-over', bookingId: 8, heldUntil: noon + 10 * minute })
    await causeMessage({ kind: 'given-back' })
    expect(await rows()).toMatchObject([{ booking_id: 8 }])
    for (const bookingId of [7, 8]) {
      const received = bagEvent('handed-over', noon, { place: 'Agent A2' })
      await recordBagStep(database, { orderId: 42, bookingId }, received)
    }
    await causeMessage({ kind: 'handed-over', heldUntil: noon + 12 * minute })
    await pass(11 * minute, minute)
    expect(double.sent).toHaveLength(1)
    await pass(2 * minute, minute)
    expect(double.sent.map(({ body }) => body.includes('Agent A2'))).toEqual([true, true])
  })

  it('of a hand-over is sent at once with the next step of the bag, and before it', async () => {
    await causeMessage({ kind: 'handed-over', heldUntil: noon + 10 * minute })
    await pass(minute)
    await causeMessage({ kind: 'hand-over-final' })
    await causeMessage({ kind: 'at-branch' })
    double.next.push({ outcome: 'unavailable', isCertain: true })
    await work()
    // The first one waits for the service; the second one does not overtake it.
    expect(double.sent).toEqual([])
    await pass(minute, second)
    expect(double.sent.map(({ body }) => body)).toEqual([
      expect.stringContaining('تسلّم'),
      expect.stringContaining('جاهزة'),
    ])
  })

  it('that a bag is late goes out on its day, days after it was recorded, and is in nobody’s list before', async () => {
    const dueAt = noon + 9 * day
    promises = arrivesBy19
    await causeMessage({ kind: 'handed-over', heldUntil: noon + 10 * minute })
    await causeMessage({ kind: 'late', heldUntil: dueAt })
    await bagStep('handed-over', noon)
    await causeMessage({ kind: 'hand-over-final' })
    await work()
    clock.advance(9 * day - minute)
    await work()
    expect(double.sent).toHaveLength(1)
    expect(await exportMessages(core, userId)).toMatchObject([{ about: 'handed-over' }])
    expect(await readBacklog(core, clock.now())).toEqual({ count: 0, oldest: null })
    await pass(minute)
    expect(double.sent.map(({ body }) => body)).toEqual([
      expect.stringContaining('تسلّم'),
      'أمتعتي: تأخرت حقيبتك 231200021879: كان موعدها الثلاثاء 19 يناير. نتابعها، ويمكنك الإبلاغ عن التأخر من صفحة الطلب OD-42.',
    ])
    expect((await exportMessages(core, userId))[0]?.createdAt).toBe(new Date(dueAt).toISOString())
  })

  it('that a bag is late lives for a day from its own day on', async () => {
    promises = arrivesBy19
    await causeMessage({ kind: 'late', heldUntil: noon + 9 * day })
    await bagStep('handed-over', noon)
    clock.advance(10 * day + minute)
    await work()
    expect(double.calls.send).toBe(0)
    expect(await only()).toMatchObject({ kind: 'late', state: 'dropped', last_error: 'too late' })
  })

  it('that a bag is late holds up no news before its day, and is none once the bag has arrived', async () => {
    promises = arrivesBy19
    await causeMessage({ kind: 'late', heldUntil: noon + 9 * day })
    await bagStep('handed-over', noon)
    await bagStep('picked-up', noon + minute)
    await bagStep('at-branch', noon + hour)
    await causeAndSend({ kind: 'at-branch' })
    expect(double.sent.map(({ body }) => body)).toEqual([expect.stringContaining('جاهزة')])
    clock.advance(9 * day)
    await work()
    expect(double.sent).toHaveLength(1)
    expect((await rows()).map(({ kind }) => kind)).toEqual(['at-branch'])
  })

  it('is no message to a country whose phones may not sign in', async () => {
    await open({ countries: ['EG'] })
    await causeAndSend()
    expect(await rows()).toEqual([])
  })
})

describe('a payment', () => {
  const [first, second] = [awbOf(7), awbOf(8)]
  const pay = () => causeAndSend({ kind: 'paid', bookingId: undefined })
  /** Both bags of the order have their airway bills with the second one. */
  const issue = async (awbs: readonly string[]) => {
    for (const [index, awb] of awbs.entries())
      await changeBag(database, 7 + index, { awb, carriage: 'ready' })
    if (awbs.length === 2) await causeAndSend({ kind: 'label-issued' })
  }
  beforeEach(async () => {
    await setLanguage({ database }, userId, 'en')
    newBag = { awb: null, carriage: 'awaiting-label' }
    for (const bookingId of [7, 8]) await addBag(database, { userId, orderId: 42, bookingId }, newBag)
  })
  const texts = () => double.sent.map(({ body }) => body)

  it('has one message, with the last airway bill of its order', async () => {
    await pay()
    await pass(5 * minute, minute)
    await issue([first])
    expect(texts()).toEqual([])
    await issue([first, second])
    await pass(20 * minute, minute)
    expect(texts()).toEqual([`Amtiati: order OD-42 is paid. Your bag's airway bills: ${first}, ${second}.`])
  })

  it.each([
    [[], "Your bag's airway bill follows."],
    [[first], `Your bag's airway bill: ${first}, the other one follows.`],
  ])(
    'is told after ten minutes with the airway bills %j, and later all of them once',
    async (awbs, follows) => {
      await pay()
      await issue(awbs)
      await pass(9 * minute, minute)
      expect(texts()).toEqual([])
      await pass(minute)
      expect(texts()).toEqual([`Amtiati: order OD-42 is paid. ${follows}`])
      await pass(hour, 10 * minute)
      await issue([first, second])
      await issue([first, second])
      expect(texts().slice(1)).toEqual([
        `Amtiati: the barcode of order OD-42 is ready. Your bag's airway bills: ${first}, ${second}.`,
      ])
    },
  )

  it('of an order that is void ten minutes later has no message', async () => {
    await pay()
    for (const bookingId of [7, 8]) await changeBag(database, bookingId, { carriage: 'void' })
    await pass(11 * minute, minute)
    expect([double.calls.send, await only()]).toMatchObject([0, { last_error: 'overtaken' }])
  })

  it('has a letter at once, which waits for the barcodes itself', async () => {
    await causeMessage({ kind: 'paid', bookingId: undefined })
    expect(await rows()).toMatchObject([
      { kind: 'documents', channel: 'mail', held_until: null, due_at: noon },
      { kind: 'paid', channel: 'sms', held_until: noon + 10 * minute, due_at: noon + 10 * minute },
    ])
  })
})

describe('a send with an unknown outcome', () => {
  it('that had sent is found, and not repeated', async () => {
    double.next.push('lost-after')
    await causeAndSend()
    expect(await only()).toMatchObject({ state: 'uncertain' })
    await pass(minute)
    expect(await only()).toMatchObject({ state: 'accepted', ref: 'SM1' })
    await pass(10 * minute, minute)
    expect(double.sent).toHaveLength(1)
  })

  it('that had not sent is repeated only after look-ups have found nothing for two minutes', async () => {
    double.next.push('lost-before')
    await causeAndSend()
    await pass(quietMs - second)
    expect([double.calls.send, double.sent.length]).toEqual([1, 0])
    expect(double.calls.find).toBeGreaterThan(3)
    await pass(2 * second, second)
    expect([double.calls.send, double.sent.length]).toEqual([2, 1])
    expect(await only()).toMatchObject({ state: 'accepted' })
  })

  it('is not repeated while the provider cannot be asked', async () => {
    double.next.push('lost-after')
    await causeAndSend()
    double.setDown(true)
    await pass(30 * minute, minute)
    expect(double.calls.send).toBe(1)
    double.setDown(false)
    await pass(10 * minute, minute)
    expect(double.calls.send).toBe(1)
    expect(await only()).toMatchObject({ state: 'accepted' })
  })

  it('is not repeated sooner when the clock is set forward', async () => {
    double.next.push('lost-before')
    await causeAndSend()
    clock.set(5 * minute)
    await pass(quietMs - second)
    expect(double.calls.send).toBe(1)
    await pass(minute)
    expect(double.calls.send).toBe(2)
  })

  it('is given up when the outcome of the one resend is not known either, with an alarm', async () => {
    double.next.push('lost-before', 'lost-before')
    await causeAndSend()
    await pass(15 * minute)
    expect([double.calls.send, double.sent.length]).toEqual([2, 0])
    expect(await only()).toMatchObject({ state: 'failed', last_error: 'never accepted' })
    expect(alarms).toContain('messages.alarm lost')
  })

  it('of a killed process is looked up by the next one', async () => {
    await causeMessage()
    const leased = await leaseMessage(core, 'of the killed one', noon, noon + minute)
    const held = { id: leased?.id ?? 0, lease: 'of the killed one' }
    await writeMessage(core, held, { phone, body: 'OD-42' })
    await beginSend(core, held, noon)
    await double.provider.send({ phone, body: 'OD-42', statusUrl: '' })
    await freeLeases(database)
    await work()
    expect(await only()).toMatchObject({ state: 'accepted', ref: 'SM1' })
    expect(double.calls.send).toBe(1)
  })

  it('that was never reached is repeated at once, without a look-up', async () => {
    double.next.push({ outcome: 'unavailable', isCertain: true })
    await causeAndSend()
    expect(await only()).toMatchObject({ state: 'waiting', sends: 0 })
    await pass(10 * second, second)
    expect(double.calls).toMatchObject({ send: 2, find: 0 })
  })
})

describe('a person who moves to another number', () => {
  const other = '+966512345679'
  const move = () => changePhone({ database }, { id: userId, phone }, other)
  const busy = { outcome: 'refused', fault: { reason: 'busy', code: 20429 } } as const
  const sentTo = () => double.sent.map((each) => [each.phone, each.body])

  it.each([
    ['certainly was not sent', busy],
    ['was looked up and not found', 'lost-before'],
  ] as const)('gets there what %s, in the language of then, once', async (_, answer) => {
    double.next.push(answer)
    await causeAndSend()
    await move()
    await setLanguage({ database }, userId, 'en')
    await pass(10 * minute, minute)
    expect(sentTo()).toEqual([[other, "Amtiati: order OD-42 is paid. Your bag's airway bill: 231200021879."]])
    expect(await only()).toMatchObject({ phone: other, state: 'accepted' })
  })

  it('gets there nothing that may have been sent before', async () => {
    double.next.push('lost-after')
    await causeAndSend()
    await move()
    await pass(10 * minute, minute)
    expect(double.sent.map((each) => each.phone)).toEqual([phone])
    expect(await only()).toMatchObject({ phone, state: 'accepted' })
  })

  it('gets there nothing that is not so any more', async () => {
    double.next.push(busy)
    await causeAndSend()
    await move()
    await changeBag(database, 7, { carriage: 'void' })
    await pass(2 * minute, minute)
    expect(double.sent).toEqual([])
    expect(await only()).toMatchObject({ phone, state: 'dropped', last_error: 'overtaken' })
  })

  it('gets the warning about the account at the number of before', async () => {
    double.next.push(busy)
    const data = { change: 'phone', personal: { phone } } as const
    await database.transaction(() =>
      recordEvent(
        { database },
        { kind: 'account-changed', data, by: { kind: 'owner' }, userId },
        { phone, email: null },
      ),
    )
    await move()
    await pass(2 * minute, minute)
    expect(double.sent.map((each) => each.phone)).toEqual([phone])
  })

  it.each([
    [2, { phone: other, state: 'accepted' }],
    [3, { phone: '+966512345670', state: 'dropped', last_error: 'not wanted' }],
  ])('as the receiver gets it within the limits of the number, after %i others', async (others, end) => {
    newBag = { receiver_phone: other }
    for (let bag = 1; bag <= others; bag += 1) await causeAndSend({ kind: 'receiver-named', bookingId: bag })
    newBag = { receiver_phone: '+966512345670' }
    double.next.push(busy)
    await causeAndSend({ kind: 'receiver-named' })
    await changeBag(database, 7, { receiver_phone: other })
    await pass(2 * minute, minute)
    expect((await rows())[0]).toMatchObject(end)
  })
})

describe('a refusal', () => {
  const refuse = (reason: 'phone' | 'opted-out' | 'account' | 'setup' | 'busy' | 'other', code: number) =>
    double.next.push({ outcome: 'refused', fault: { reason, code } })

  it.each([
    ['phone', 21211],
    ['opted-out', 21610],
  ] as const)('%s %i ends the message and later ones to the phone', async (reason, code) => {
    refuse(reason, code)
    await causeAndSend()
    expect(await only()).toMatchObject({ state: 'failed', last_error: `${reason} ${code}` })
    expect((await findUserByPhone({ database }, phone))?.sms_refused).toBe(reason)
    await causeAndSend({ kind: 'at-branch' })
    expect(await rows()).toHaveLength(1)
    expect(alarms).toEqual([])
  })

  it('that is reported after the message was accepted ends later ones to the phone, too', async () => {
    await causeAndSend()
    const message = await only()
    expect([message.ref, message.state]).toEqual(['SM1', 'accepted'])
    const fault = { reason: 'opted-out', code: 21610 } as const
    await takeReport(core, message, { ref: 'SM1', status: 'failed', fault })
    expect(await only()).toMatchObject({ state: 'failed', last_error: 'opted-out 21610' })
    await causeAndSend({ kind: 'at-branch' })
    expect([double.calls.send, (await rows()).length]).toEqual([1, 1])
  })

  it('account 20003 stops all sends for five minutes, with one alarm', async () => {
    refuse('account', 20003)
    await causeMessage()
    await causeAndSend({ kind: 'handed-over' })
    await pass(4 * minute, minute)
    expect(double.calls.send).toBeLessThanOrEqual(2)
    const before = double.calls.send
    await pass(10 * minute, minute)
    expect(double.calls.send).toBeGreaterThan(before)
    expect(double.sent).toHaveLength(2)
    expect(alarms).toEqual(['messages.alarm account 20003'])
    expect(await measured(core, 'amtiati_message_alarms_total{reason="account"}')).toBeGreaterThan(0)
  })

  it('account 20003 stops sends no longer when the clock is set back meanwhile', async () => {
    refuse('account', 20003)
    await causeAndSend()
    clock.set(-day)
    await pass(15 * minute, minute)
    expect(double.sent).toHaveLength(1)
  })

  it.each([
    ['busy', 20429, minute, []],
    ['setup', 21408, hour, ['messages.alarm setup 21408']],
  ] as const)('%s %i makes the message wait for %i ms', async (reason, code, waitMs, expected) => {
    refuse(reason, code)
    await causeAndSend()
    await pass((waitMs * 59) / 60, waitMs / 60)
    expect(double.calls.send).toBe(1)
    await pass(waitMs / 30, waitMs / 60)
    expect(double.sent).toHaveLength(1)
    expect(alarms).toEqual(expected)
  })

  it('of another kind ends the message with an alarm', async () => {
    refuse('other', 99999)
    await causeAndSend()
    expect(await only()).toMatchObject({ state: 'failed', last_error: 'other 99999' })
    expect(alarms).toEqual(['messages.alarm other 99999'])
  })
})

describe('limits', () => {
  it('the daily budget holds messages back, and warns before', async () => {
    await open({ dailyBudget: 2 })
    for (const kind of ['paid', 'handed-over', 'at-branch'] as const) await causeAndSend({ kind })
    await pass(hour, 5 * minute)
    expect(double.sent).toHaveLength(2)
    expect(alarms).toContain('messages.alarm budget')
    await pass(22 * hour, hour)
    expect(double.sent).toHaveLength(2)
    await pass(hour, 10 * minute)
    expect(double.sent).toHaveLength(3)
  })

  it('the daily budget counts what other gateways send also when the clock is set back meanwhile', async () => {
    await open({ dailyBudget: 2 })
    await causeAndSend()
    clock.set(-hour)
    await causeMessage({ kind: 'handed-over' })
    const { id = 0 } = (await leaseMessage(core, 'of another gateway')) ?? {}
    await beginSend(core, { id, lease: 'of another gateway' })
    clock.advance(minute)
    await causeAndSend({ kind: 'at-branch', bookingId: 8 })
    expect(double.calls.send).toBe(1)
  })

  it('a budget of 0 sends nothing', async () => {
    await open({ dailyBudget: 0 })
    await causeAndSend()
    expect(double.calls.send).toBe(0)
  })

  it('news that is a day old is dropped', async () => {
    await causeMessage()
    clock.advance(day + second)
    await work()
    expect(await only()).toMatchObject({ state: 'dropped', last_error: 'too late' })
  })

  it('a gateway whose clock is three days ahead of the database drops no news', async () => {
    await causeMessage()
    clock.advance(3 * day)
    database.setAhead(-3 * day)
    await work()
    expect(double.calls.send).toBe(1)
    expect(await only()).toMatchObject({ state: 'accepted' })
  })
})

describe('after a restore', () => {
  it('a message about an older order is looked up before it is sent', async () => {
    await database.tables
      .insertInto('message_restores')
      .values({ first_order: 100, since: noon - hour })
      .execute()
    const body = 'أمتعتي: تم الدفع للطلب OD-42. رقم بوليصة حقيبتك 231200021879.'
    await causeMessage({ orderId: 42 })
    // Sent after the restored time, by a gateway on the previous database.
    await double.provider.send({ phone, body, statusUrl: '' })
    await causeMessage({ orderId: 43 })
    await causeAndSend({ orderId: 100 })
    await work()
    expect(double.sent.filter((each) => each.body === body)).toHaveLength(1)
    expect(double.sent).toHaveLength(3)
    expect(double.calls.find).toBe(2)
    for (const row of await rows()) expect(row.state).toBe('accepted')
  })
})

it('after a restore a message is found although its text was written of other facts, and that of another bag is not', async () => {
  await database.tables.insertInto('message_restores').values({ first_order: 100, since: noon }).execute()
  const place = { addressAR: 'الملز', addressEN: 'Al Malaz', city: 'Riyadh' }
  const before = { ...plain, awbs: ['231200021879'], place, receiver: 'Huda' }
  const body = messageText('en', { ...before, kind: 'at-branch', orderId: 42 })
  await double.provider.send({ phone, body, statusUrl: '' })
  await causeAndSend({ kind: 'at-branch' })
  expect([double.calls.send, await only()]).toMatchObject([1, { state: 'accepted', ref: 'SM1' }])
  await causeAndSend({ kind: 'at-branch', bookingId: 8 })
  expect(double.calls.send).toBe(2)
})

describe('a missing status', () => {
  it('is asked for after an hour, and again later', async () => {
    await causeAndSend()
    await pass(59 * minute, minute)
    expect(double.calls.read).toBe(0)
    double.statuses.set('SM1', { ref: 'SM1', status: 'sent' })
    await pass(2 * minute, minute)
    expect([double.calls.read, (await only()).status_rank]).toEqual([1, 2])
    double.statuses.set('SM1', { ref: 'SM1', status: 'delivered' })
    await pass(2 * hour, 10 * minute)
    expect(await only()).toMatchObject({ state: 'delivered', due_at: null })
  })

  it('that never comes ends after three inquiries', async () => {
    await causeAndSend()
    await pass(2 * day, hour)
    expect(double.calls.read).toBe(3)
    expect(await only()).toMatchObject({ state: 'accepted', due_at: null })
  })
})

describe('a status callback', () => {
  async function openApp() {
    const app = await openFeatureApp((app) => messagesRoutes(core, routesFor(core, app)))
    return async (
      fields: Readonly<Record<string, string>>,
      {
        token = authToken,
        path = '/api/messages/callback?message=1.',
        signedPath = path,
        sid = accountSid,
      }: { token?: string; path?: string; signedPath?: string; sid?: string } = {},
    ) => {
      const all = { AccountSid: sid, ApiVersion: '2010-04-01', To: phone, From: 'Amtiati', ...fields }
      const text = callbackSignatureText(`${callbackUrl}${signedPath}`, all)
      const signature = createHmac('sha1', token).update(text).digest('base64')
      const answer = await app.inject({
        method: 'POST',
        url: path,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          'x-twilio-signature': signature,
          // A forwarded or forged host must not count.
          host: 'evil.example',
        },
        payload: new URLSearchParams(all).toString(),
      })
      return answer.statusCode
    }
  }
  const status = (MessageStatus: string, more: object = {}) => ({ MessageSid: 'SM1', MessageStatus, ...more })
  async function sentOne() {
    await causeAndSend()
    return openApp()
  }

  it('ends the message, and later ones change nothing', async () => {
    const call = await sentOne()
    expect(await call(status('delivered'))).toBe(200)
    expect(await only()).toMatchObject({ state: 'delivered' })
    expect(await call(status('sent'))).toBe(200)
    expect(await call(status('undelivered', { ErrorCode: '30005' }))).toBe(200)
    expect(await only()).toMatchObject({ state: 'delivered', last_error: null })
    expect((await findUserByPhone({ database }, phone))?.sms_refused).toBeNull()
    expect(await measured(core, 'amtiati_messages_total{outcome="accepted"}')).toBe(1)
    expect(await measured(core, 'amtiati_messages_total{outcome="delivered"}')).toBe(1)
    expect(await measured(core, 'amtiati_message_callbacks_total{outcome="applied"}')).toBe(1)
    expect(await measured(core, 'amtiati_message_callbacks_total{outcome="repeated"}')).toBe(2)
  })

  it('that is forged, of another account, or signed for another message is refused', async () => {
    const call = await sentOne()
    expect(await call(status('delivered'), { token: 'another' })).toBe(401)
    expect(await call(status('delivered'), { signedPath: '/api/messages/callback?message=2.' })).toBe(401)
    expect(await call(status('delivered'), { sid: 'AC1' })).toBe(401)
    // Our number, moved from the address into a field: the signed text is the same.
    const moved = { path: '/api/messages/callback?message=' }
    expect(await call(status('delivered', { '1.': '' }), moved)).toBe(400)
    expect(await call({ MessageSid: 'SM1' })).toBe(401)
    expect(await only()).toMatchObject({ state: 'accepted' })
  })

  it('about an unknown message is acknowledged', async () => {
    const call = await sentOne()
    expect(await call(status('delivered'), { path: '/api/messages/callback?message=999.' })).toBe(200)
    expect(await only()).toMatchObject({ state: 'accepted' })
  })

  it('about a second message of the same event raises an error for the operator', async () => {
    const call = await sentOne()
    expect(await call(status('delivered', { MessageSid: 'SM9' }))).toBe(200)
    expect(alarms).toEqual(['messages.sent-twice'])
    expect(await only()).toMatchObject({ state: 'accepted', ref: 'SM1' })
  })

  it('of a switched-off phone sends once more after 30 minutes', async () => {
    const call = await sentOne()
    await call(status('undelivered', { ErrorCode: '30003' }))
    await pass(29 * minute, minute)
    expect(double.calls.send).toBe(1)
    await pass(2 * minute, minute)
    expect(double.calls.send).toBe(2)
    // As a separate message: the outcome of the first one stays.
    const path = '/api/messages/callback?message=3.'
    await call(status('undelivered', { MessageSid: 'SM2', ErrorCode: '30003' }), { path })
    await pass(2 * hour, 10 * minute)
    expect(double.calls.send).toBe(2)
    const failed = { state: 'failed', last_error: 'unreachable 30003' }
    expect(await rows()).toMatchObject([
      { ...failed, seen_at: null },
      { ...failed, seen_at: expect.any(Number) },
    ])
  })

  it('30007 (spam filter) is an alarm and no retry', async () => {
    const call = await sentOne()
    await call(status('undelivered', { ErrorCode: '30007' }))
    await pass(2 * hour, 10 * minute)
    expect(double.calls.send).toBe(1)
    expect(alarms).toEqual(['messages.alarm filtered 30007'])
  })
})
