import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { addMessage } from '#test/kit/orders/messages.ts'
import {
  beginPush,
  beginSend,
  countSends,
  deleteUnwritten,
  endMessage,
  endPush,
  eraseMessagesOfUser,
  eraseTexts,
  findMessage,
  findRestore,
  followsAnother,
  leaseMessage,
  listGivenUp,
  listMessages,
  listMessagesOfBag,
  listMessagesOfOrder,
  listOverdue,
  markAccepted,
  markFinal,
  markMailed,
  markPushed,
  readBacklog,
  readReceiverTexts,
  releaseChecked,
  releaseMessage,
  resendMessages,
  retryMessage,
  scheduleMessagesNow,
  undoSend,
  writeMessage,
} from './messages.queries.ts'
import { messageRules } from './messages.rules.ts'

const noon = 1_800_000_000_000
const minute = 60_000
const phone = '+966512345678'
const ref = 'SM1'

forEachEngine((engine, open) => {
  let database: Database
  let core: { readonly database: Database }
  let userId: number
  beforeEach(async () => {
    database = await open()
    core = { database }
    userId = (await ensureUser({ database }, phone, 'Maryam', noon)).id
  })

  type NewMessage = Parameters<typeof addMessage>[1]
  const add = (change: Partial<NewMessage> = {}) =>
    addMessage(database, {
      user_id: userId,
      order_id: 42,
      booking_id: 7,
      kind: 'paid',
      created_at: noon,
      ...change,
    })
  const lease = (name = 'lease', now = noon) => leaseMessage(core, name, now, now + messageRules.leaseMs)
  const only = async () => {
    const [row] = await listMessages(core, userId, 10)
    if (!row) throw new Error('there is no message')
    return row
  }
  /** A leased message that was sent. */
  async function begun(change: Partial<NewMessage> = {}) {
    await add(change)
    const row = await lease()
    const held = { id: row?.id ?? 0, lease: 'lease' }
    expect(await beginSend(core, held, noon)).toBe(true)
    return held
  }
  async function accepted() {
    const held = await begun()
    expect(await markAccepted(core, held.id, ref, 'queued', noon + minute)).toBe(true)
    return held
  }

  describe('a message', () => {
    it('is listed by its owner, the newest first, and by its order', async () => {
      for (const change of [{}, { booking_id: 8 }, { order_id: 43 }]) await add(change)
      expect(await listMessages(core, userId, 10)).toHaveLength(3)
      expect((await listMessages(core, userId, 1)).map(({ order_id }) => order_id)).toEqual([43])
      expect(await listMessages(core, userId + 1, 2)).toEqual([])
      const ofOrder = await listMessagesOfOrder(core, 43)
      expect(ofOrder.map(({ order_id }) => order_id)).toEqual([43])
    })

    it('is listed with the others of its kind about the same bag, and with no other', async () => {
      for (const event_id of [5, 9]) await add({ kind: 'at-branch', event_id })
      for (const change of [{ booking_id: 8 }, { order_id: 43 }, { kind: 'exception' }] as const)
        await add({ kind: 'at-branch', ...change })
      const rows = await listMessagesOfBag(core, { order_id: 42, booking_id: 7, kind: 'at-branch' })
      expect(rows.map((row) => row.reported_event_id).toSorted()).toEqual([5, 9])
    })

    it('gets its text once, from the holder of its lease', async () => {
      await add()
      const { id = 0 } = (await lease()) ?? {}
      const text = { phone, body: 'Order OD-42 is paid.' }
      expect(await writeMessage(core, { id, lease: 'another' }, text)).toBeUndefined()
      expect(await writeMessage(core, { id, lease: 'lease' }, text)).toMatchObject({ id, ...text })
      expect(await writeMessage(core, { id, lease: 'lease' }, { ...text, body: 'Another' })).toBeUndefined()
      await deleteUnwritten(core, { id, lease: 'lease' })
      expect(await only()).toMatchObject(text)
    })

    it('without a text is deleted by the holder of its lease', async () => {
      await add()
      const { id = 0 } = (await lease()) ?? {}
      await deleteUnwritten(core, { id, lease: 'another' })
      expect(await listMessages(core, userId, 10)).toHaveLength(1)
      await deleteUnwritten(core, { id, lease: 'lease' })
      expect(await listMessages(core, userId, 10)).toEqual([])
    })
  })

  describe('a held message', () => {
    const until = noon + 10 * minute
    const addHeld = (change: Partial<NewMessage> = {}) =>
      add({ kind: 'handed-over', held_until: until, ...change })

    it('is due when the time has come, and does not wait before', async () => {
      await addHeld()
      expect(await readBacklog(core, until - 1)).toEqual({ count: 0, oldest: null })
      expect(await lease('early', until - 1)).toBeUndefined()
      // Its wait begins there.
      expect(await readBacklog(core, until)).toEqual({ count: 1, oldest: until })
      expect(await lease('then', until)).toMatchObject({ kind: 'handed-over', held_until: until })
    })
  })

  it('a message follows those to the same person about its bag that are not known to be sent', async () => {
    await add({ kind: 'handed-over' })
    await add({ kind: 'at-branch' })
    await add({ kind: 'at-branch', booking_id: 8 })
    for (const kind of ['receiver-named', 'receiver-at-branch'] as const) await add({ kind })
    const [atBranch, named, , second, first] = await listMessages(core, userId, 10)
    if (!first || !second || !named || !atBranch) throw new Error('there are five messages')
    expect([await followsAnother(core, named, noon), await followsAnother(core, atBranch, noon)]).toEqual([
      false,
      true,
    ])
    expect([await followsAnother(core, first, noon), await followsAnother(core, second, noon)]).toEqual([
      false,
      true,
    ])
    const held = { id: (await lease())?.id ?? 0, lease: 'lease' }
    await beginSend(core, held, noon)
    expect(await followsAnother(core, second, noon)).toBe(true)
    await markAccepted(core, held.id, ref, 'queued', noon + minute)
    expect(await followsAnother(core, second, noon)).toBe(false)
  })

  it('a message that waits for its day is not in the way, and is not tried before', async () => {
    const day = noon + 24 * 60 * minute
    await add({ kind: 'late', held_until: day })
    await add({ kind: 'at-branch' })
    const [atBranch] = await listMessages(core, userId, 10)
    if (!atBranch) throw new Error('there are two messages')
    expect(await followsAnother(core, atBranch, day - 1)).toBe(false)
    expect(await followsAnother(core, atBranch, day)).toBe(true)
    expect(await scheduleMessagesNow(core, 42)).toEqual([])
    expect(await readBacklog(core, day - 1)).toEqual({ count: 1, oldest: noon })
    expect((await listOverdue(core, day - 1, 10)).map(({ kind }) => kind)).toEqual(['at-branch'])
  })

  it('knows what receivers were told: under a number, by a user, and who refused', async () => {
    const told = '+962790000001'
    const tell = async (bookingId: number, change: Partial<NewMessage> = {}, phone = told) => {
      await add({ kind: 'receiver-named', booking_id: bookingId, created_at: noon, ...change })
      const held = { id: (await lease())?.id ?? 0, lease: 'lease' }
      await writeMessage(core, held, { phone, body: 'Text' })
      return held
    }
    const readNamed = (userId: number, phone = told) => readReceiverTexts(core, phone, userId, noon - 1)
    const first = await tell(1)
    await tell(2, { created_at: noon - 1 })
    await tell(3, { kind: 'receiver-at-branch' })
    await tell(4, { kind: 'at-branch' })
    await tell(5, {}, '+962790000002')
    await add({ kind: 'receiver-named', booking_id: 6 })
    expect(await readNamed(userId)).toEqual({ toPhone: 1, byUser: 2, isRefused: false })
    expect(await readNamed(userId + 1)).toMatchObject({ toPhone: 1, byUser: 0 })
    await endMessage(core, first, 'failed', 'other 30008', noon)
    expect(await readNamed(userId)).toMatchObject({ isRefused: false })
    await endMessage(core, await tell(7), 'failed', 'opted-out 21610', noon)
    expect(await readNamed(userId)).toMatchObject({ isRefused: true })
    expect(await readNamed(userId, '+962790000002')).toMatchObject({ isRefused: false })
  })

  describe('a lease', () => {
    it('that has run out begins no send, and a send is noted at the time of its statement', async () => {
      await add()
      await leaseMessage(core, 'ended', noon, noon)
      const { id } = await only()
      expect(await beginSend(core, { id, lease: 'ended' })).toBe(false)
      expect(await only()).toMatchObject({ state: 'waiting', sends: 0 })
      await lease()
      expect(await beginSend(core, { id, lease: 'lease' })).toBe(true)
      expect((await only()).asked_at).toBe(noon)
    })

    it('that was lost changes nothing', async () => {
      await add()
      const row = await lease('first')
      await lease('second', noon + messageRules.leaseMs)
      const lost = { id: row?.id ?? 0, lease: 'first' }
      const before = await only()
      expect(await beginSend(core, lost, noon)).toBe(false)
      await undoSend(core, lost, noon, null)
      await releaseMessage(core, lost, noon)
      await releaseChecked(core, lost, noon)
      expect(await endMessage(core, lost, 'dropped', 'late', noon)).toBe(false)
      expect(await only()).toEqual(before)
    })
  })

  describe('a send', () => {
    it('is given up', async () => {
      const held = await begun()
      expect(await endMessage(core, held, 'failed', 'phone 21211', noon)).toBe(true)
      expect(await only()).toMatchObject({
        state: 'failed',
        due_at: null,
        ended_at: noon,
        last_error: 'phone 21211',
      })
    })
  })

  describe('a push', () => {
    async function pushing() {
      await add()
      const row = await lease()
      const held = { id: row?.id ?? 0, lease: 'lease' }
      expect(await beginPush(core, held)).toBe(true)
      return held
    }

    it('that failed leaves the message to the SMS service; one that waits can be begun again', async () => {
      const held = await pushing()
      await endPush(core, held, null)
      expect(await beginPush(core, held)).toBe(true)
      await endPush(core, held, 'failed')
      expect(await only()).toMatchObject({ state: 'waiting', push: 'failed' })
      expect(await beginPush(core, held)).toBe(false)
      expect(await markPushed(core, held, noon)).toBe(false)
    })

    it('does not follow an SMS', async () => {
      expect(await beginPush(core, await begun())).toBe(false)
    })
  })

  describe('an e-mail', () => {
    it('ends once the server has taken it, and costs nothing of the budget of SMS', async () => {
      const held = await begun({ kind: 'documents', booking_id: 0 })
      expect(await markMailed(core, { ...held, lease: 'another' }, noon)).toBe(false)
      expect(await markMailed(core, held, noon)).toBe(true)
      expect(await only()).toMatchObject({ state: 'accepted', due_at: null, lease: null, ended_at: noon })
      expect(await countSends(core, 0)).toBe(0)
    })

    it('that waits does not hold up the messages about its order', async () => {
      await add({ kind: 'documents', booking_id: 0 })
      await add({ kind: 'refunded', booking_id: 0 })
      const [refunded] = await listMessages(core, userId, 1)
      expect(refunded && (await followsAnother(core, refunded, noon))).toBe(false)
    })
  })

  describe('a report', () => {
    it('raises the status and never lowers it', async () => {
      const { id } = await accepted()
      expect(await markAccepted(core, id, ref, 'sent', noon + minute)).toBe(true)
      expect(await markAccepted(core, id, ref, 'queued', noon)).toBe(false)
      expect(await markFinal(core, id, ref, { state: 'delivered', reason: null }, noon)).toBe(true)
      expect(await markAccepted(core, id, ref, 'sent', noon)).toBe(false)
      expect(await markFinal(core, id, ref, { state: 'failed', reason: 'phone 30005' }, noon)).toBe(false)
      expect(await findMessage(core, id)).toMatchObject({ state: 'delivered', due_at: null, ended_at: noon })
    })

    it('that arrives before the answer to the send gives the id', async () => {
      const { id, ...held } = await begun()
      expect(await markFinal(core, id, ref, { state: 'delivered', reason: null }, noon)).toBe(true)
      expect(await markAccepted(core, id, ref, 'queued', noon)).toBe(false)
      await undoSend(core, { id, ...held }, noon, null)
      expect(await only()).toMatchObject({ state: 'delivered', ref })
    })

    it('of an unreachable phone sends again as a new message, and old reports do not count for it', async () => {
      const { id } = await accepted()
      await markFinal(core, id, ref, { state: 'failed', reason: 'unreachable 30003' }, noon)
      await database.transaction(() => retryMessage(core, id, noon + minute))
      const [again, first] = await listMessages(core, userId, 10)
      expect(first).toMatchObject({ state: 'failed', asked_at: noon, ref, seen_at: noon })
      expect(again).toMatchObject({
        kind: 'paid',
        state: 'waiting',
        reported_event_id: first?.event_id,
        retried: 1,
        asked_at: null,
        ref: null,
        former_ref: ref,
        due_at: noon + minute,
      })
      const [asked] = await listEvents(core, 'user_id', [userId])
      expect(asked).toMatchObject({ id: again?.event_id, kind: 'message-asked', by: { kind: 'system' } })
      const next = again?.id ?? 0
      expect(await markFinal(core, next, ref, { state: 'delivered', reason: null }, noon)).toBe(false)
      expect(await markAccepted(core, next, 'SM2', 'sent', noon)).toBe(true)
    })

    it('of an unreachable phone sends a warning about the account to the same phone again, with its text', async () => {
      const held = await begun({ kind: 'number-changed', order_id: 0, booking_id: 0, phone })
      const text = { phone, body: 'Your account was moved on Tuesday.' }
      await writeMessage(core, held, text)
      await markFinal(core, held.id, ref, { state: 'failed', reason: 'unreachable 30003' }, noon)
      await database.transaction(() => retryMessage(core, held.id, noon + minute))
      const [again] = await listMessages(core, userId, 10)
      expect(again).toMatchObject({ state: 'waiting', retried: 1, ...text })
    })

    it('has one winner', async () => {
      for (let round = 1; round <= raceRounds; round += 1) {
        await add({ booking_id: round })
        const row = await lease(`lease-${round}`)
        const id = row?.id ?? 0
        const won = await atOnce(4, () =>
          markFinal(core, id, ref, { state: 'delivered', reason: null }, noon),
        )
        expect(won.filter(Boolean)).toHaveLength(1)
      }
    })
  })

  describe('operators', () => {
    async function failed() {
      const held = await accepted()
      const fault = { state: 'failed', reason: 'unreachable 30003' } as const
      await markFinal(core, held.id, ref, fault, noon)
      return held.id
    }

    it('see the newest that failed or were dropped, and those that wait for long', async () => {
      const id = await failed()
      await add({ kind: 'at-branch', created_at: noon + 1 })
      await add({ kind: 'late', created_at: noon + 1 })
      await add({ kind: 'collected', created_at: noon + 2 })
      await add({ kind: 'handed-over', created_at: noon + 1, held_until: noon + 10 * minute })
      const dropped = await lease('drop', noon + 1)
      await endMessage(core, { id: dropped?.id ?? 0, lease: 'drop' }, 'dropped', 'too late', noon + minute)
      const { id: overtaken = 0 } = (await lease('late', noon + 1)) ?? {}
      await endMessage(core, { id: overtaken, lease: 'late' }, 'dropped', 'overtaken', noon + minute)
      expect((await listGivenUp(core, 10)).map((row) => [row.id, row.state])).toEqual([
        [dropped?.id, 'dropped'],
        [id, 'failed'],
      ])
      expect(await listGivenUp(core, 1)).toHaveLength(1)
      expect((await listOverdue(core, noon + 2, 10)).map(({ kind }) => kind)).toEqual(['collected'])
      expect(await listOverdue(core, noon + 1, 10)).toEqual([])
      const later = await listOverdue(core, noon + 10 * minute, 10)
      expect(later.map(({ kind }) => kind)).toEqual(['handed-over', 'collected'])
      expect(await listOverdue(core, noon + 10 * minute, 1)).toHaveLength(1)
    })

    it('send again what failed, and an old report does not count for it', async () => {
      const id = await failed()
      const before = await findMessage(core, id)
      expect(await database.transaction(() => resendMessages(core, 9, []))).toEqual([])
      expect(await database.transaction(() => resendMessages(core, 9, [id]))).toEqual(['paid'])
      const [first, again] = await listMessagesOfOrder(core, 42)
      // The first attempt keeps its outcome, and is marked as seen.
      expect(first).toMatchObject({ ...before, seen_at: noon })
      expect(again).toMatchObject({
        kind: 'paid',
        event_id: 9,
        reported_event_id: before?.event_id,
        state: 'waiting',
        body: '',
        phone: '',
        sends: 0,
        ref: null,
        former_ref: ref,
        due_at: noon,
        created_at: noon,
        ended_at: null,
        seen_at: null,
      })
      expect(await listGivenUp(core, 5)).toEqual([])
      expect(await markFinal(core, again?.id ?? 0, ref, { state: 'delivered', reason: null }, noon)).toBe(
        false,
      )
    })

    it('ask for several at once by one event, and each that would be of the same recipient by one of its own', async () => {
      const ids = [await add({ state: 'failed' }), await add({ kind: 'refunded', state: 'failed' })]
      ids.push(await add({ kind: 'documents', state: 'failed' }))
      await database.transaction(() => resendMessages(core, 9, ids))
      const again = (await listMessages(core, userId, 3)).toReversed()
      const own = again[1]?.event_id
      expect(again.map(({ kind, event_id }) => [kind, event_id])).toEqual([
        ['paid', 9],
        ['refunded', own],
        ['documents', 9],
      ])
      expect(await listEvents(core, 'user_id', [userId])).toMatchObject([
        { id: own, kind: 'message-asked', data: { about: 'refunded' }, by: { kind: 'system' } },
      ])
    })

    it('have what waits tried now, but neither what is held nor what is under way', async () => {
      await add()
      await add({ kind: 'handed-over', held_until: noon + 10 * minute })
      const held = { id: (await lease())?.id ?? 0, lease: 'lease' }
      expect(await scheduleMessagesNow(core, 42)).toEqual([])
      await releaseMessage(core, held, noon + minute)
      expect(await scheduleMessagesNow(core, 42)).toEqual(['paid'])
      expect(await lease('next', noon + 1)).toMatchObject({ kind: 'paid' })
    })
  })

  describe('upkeep', () => {
    it('erases those of one user', async () => {
      const other = await ensureUser({ database }, '+966587654321', 'Omar', noon)
      await add()
      await add({ user_id: other.id, order_id: 43 })
      await database.transaction(() => eraseMessagesOfUser(core, userId))
      expect(await listMessages(core, userId, 10)).toEqual([])
      expect(await listMessages(core, other.id, 10)).toHaveLength(1)
    })

    it('lose where they went and what they said, the oldest first, and keep what became of them', async () => {
      const held = await begun()
      await writeMessage(core, held, { phone, body: 'Paid.' })
      await markFinal(core, held.id, ref, { state: 'delivered', reason: null }, noon + 1)
      await add({ kind: 'number-changed', order_id: 0, booking_id: 0, phone, created_at: noon + 1 })
      await add({ kind: 'collected', created_at: noon + 2 })
      expect(await eraseTexts(core, noon, 10)).toBe(0)
      expect(await eraseTexts(core, noon + 2, 1)).toBe(1)
      const first = await findMessage(core, held.id)
      expect(first).toMatchObject({ phone: '', body: '', ref: null, state: 'delivered' })
      expect(first).toMatchObject({ asked_at: noon, ended_at: noon + 1, created_at: noon })
      expect([await eraseTexts(core, noon + 3, 10), await eraseTexts(core, noon + 3, 10)]).toEqual([1, 0])
      expect(await listMessages(core, userId, 10)).toHaveLength(3)
    })

    it(`remembers the newest restore on ${engine}`, async () => {
      expect(await findRestore(core)).toBeUndefined()
      const insert = (first_order: number) =>
        database.tables.insertInto('message_restores').values({ first_order, since: noon }).execute()
      await insert(100)
      await insert(200)
      expect(await findRestore(core)).toMatchObject({ first_order: 200, since: noon })
    })
  })
})
