// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { beginShift } from '#test/kit/client/agent-shift.ts'
import { emptyOutbox } from '#test/kit/client/empty-outbox.ts'
import { stubLocks } from '#test/kit/client/locks.ts'
import { problem, type RecordedCall, type StubResponse, stubGateway } from '#test/kit/client/render-page.tsx'
import { findKeptBag, keepBags } from './kept-bags.ts'
import { undoWindowMs } from './outbox.rules.ts'
import { changeEntry, closeOutbox } from './outbox.store.ts'
import {
  countWaiting,
  dismissRefusal,
  keepHandover,
  onOutboxChange,
  readOutbox,
  sendOutbox,
  undoHandoverLater,
} from './outbox.ts'
import { readShift } from './shift.ts'

const agentId = 3
const [first, second] = ['290012345678', '290087654321'] as const

const recorded: StubResponse = { body: { success: true } }
const signedIn: StubResponse = { body: { success: true, agentId, name: 'Counter 1', phone: '+9665' } }

/** A gateway that answers hand-overs by `answer`; `undefined` is a broken line. */
function gateway(
  answer: (call: RecordedCall) => StubResponse | Promise<StubResponse> | undefined = () => recorded,
  session: StubResponse = signedIn,
) {
  const calls = stubGateway({
    'GET /api/auth/agent': session,
    'POST /api/handovers': answer,
    'POST /api/handovers/refusals': answer,
    [`DELETE /api/handovers/${first}`]: answer,
  })
  return () => calls.filter(({ path }) => path.startsWith('/api/handovers'))
}

const statesOf = async () =>
  (await readOutbox(agentId)).map(({ awb, recordedAt, refusal }) => [
    awb,
    refusal?.code ?? (recordedAt === null ? 'waiting' : 'recorded'),
  ])

beforeEach(emptyOutbox)

describe('a confirmation', () => {
  it('is sent with its time, the device’s time, and its own key', async () => {
    const sent = gateway()
    const before = Date.now()
    await keepHandover(agentId, first)
    expect(await sendOutbox(agentId)).toBe('done')
    const [call] = sent()
    const { awb, receivedAt, sentAt } = (call?.body ?? {}) as Partial<Record<string, string>>
    expect(awb).toBe(first)
    expect(Date.parse(receivedAt ?? '')).toBeGreaterThanOrEqual(before)
    expect(Date.parse(sentAt ?? '')).toBeGreaterThanOrEqual(Date.parse(receivedAt ?? ''))
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
    expect(await statesOf()).toEqual([[first, 'recorded']])
    expect(await countWaiting(agentId)).toBe(0)
  })

  it('is kept on a page without TLS, which has no crypto.randomUUID', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const sent = gateway()
    await keepHandover(agentId, first)
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent()).toHaveLength(1)
  })

  it('waits through a broken line, and is repeated with the same key and time', async () => {
    let isBroken = true
    const sent = gateway(() => (isBroken ? undefined : recorded))
    await keepHandover(agentId, first)
    expect(await sendOutbox(agentId)).toBe('unreachable')
    expect(await countWaiting(agentId)).toBe(1)
    isBroken = false
    expect(await sendOutbox(agentId)).toBe('done')
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent()).toHaveLength(2)
    expect(new Set(sent().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    const times = sent().map(({ body }) => (body as { receivedAt: string }).receivedAt)
    expect(new Set(times).size).toBe(1)
  })

  it('waits as long as the server asks when there are too many, and is sent then', async () => {
    let isFull = true
    const full = problem(429, 'TOO_MANY_CALLS', 'Later')
    const sent = gateway(({ body }) =>
      isFull && (body as { awb: string }).awb === second
        ? { ...full, body: { ...(full.body as object), retryAfterSeconds: 20 } }
        : recorded,
    )
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    await keepHandover(agentId, first)
    await keepHandover(agentId, second)
    const newer = (await readOutbox(agentId)).find(({ awb }) => awb === second)
    await changeEntry(newer?.id ?? '', (entry) => ({ ...entry, receivedAt: entry.receivedAt + 1 }))
    expect(await sendOutbox(agentId)).toBe('busy')
    isFull = false
    now.mockReturnValue(20_999)
    expect(await sendOutbox(agentId)).toBe('busy')
    expect(sent()).toHaveLength(2)
    expect(await countWaiting(agentId)).toBe(1)
    now.mockReturnValue(21_000)
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent()).toHaveLength(3)
    expect(await countWaiting(agentId)).toBe(0)
  })

  it('follows the refusal of the same bag, in the order of the taps, and both are counted', async () => {
    beginShift(agentId)
    const sent = gateway()
    await keepHandover(agentId, first, { kind: 'not-accepted', reason: 'other', text: 'Oil' })
    const [refusal] = await readOutbox(agentId)
    await changeEntry(refusal?.id ?? '', (entry) => ({ ...entry, receivedAt: entry.receivedAt - 1 }))
    await keepHandover(agentId, first)
    await keepHandover(agentId, first)
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent().map(({ path, body }) => [path, (body as { reason?: string }).reason])).toEqual([
      ['/api/handovers/refusals', 'other'],
      ['/api/handovers', undefined],
    ])
    expect(readShift(agentId)).toMatchObject({ received: 1, notAccepted: 1 })
    // The text of the agent is deleted once it is sent.
    expect(JSON.stringify(await readOutbox(agentId))).not.toContain('Oil')
  })

  it('of a bag that the page refused is recorded as a scan, and says nothing when the server refuses, too', async () => {
    const ofVoid = { kind: 'void' } as const
    let answer = problem(409, 'DO_NOT_ACCEPT', 'No')
    gateway(() => answer)
    await keepHandover(agentId, first, ofVoid)
    expect(await countWaiting(agentId)).toBe(0)
    await sendOutbox(agentId)
    expect(await readOutbox(agentId)).toEqual([])
    // Should the server ever take it, the agent sees that, and may undo it.
    answer = recorded
    await keepHandover(agentId, first, ofVoid)
    await sendOutbox(agentId)
    expect((await readOutbox(agentId)).map((entry) => [entry.report, entry.recordedAt !== null])).toEqual([
      [undefined, true],
    ])
  })

  it('survives a new start of the page', async () => {
    gateway(() => undefined)
    await keepHandover(agentId, first)
    await sendOutbox(agentId)
    await closeOutbox()
    expect(await statesOf()).toEqual([[first, 'waiting']])
  })

  it('that is refused is not sent again, and is shown until it was read', async () => {
    const sent = gateway(() => problem(409, 'DO_NOT_ACCEPT', 'The order was cancelled.'))
    await keepHandover(agentId, first)
    expect(await sendOutbox(agentId)).toBe('done')
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent()).toHaveLength(1)
    expect(await statesOf()).toEqual([[first, 'DO_NOT_ACCEPT']])
    const [entry] = await readOutbox(agentId)
    await dismissRefusal(entry?.id ?? '')
    expect(await statesOf()).toEqual([])
  })

  it('is sent once, however often sending starts at the same time', async () => {
    const sent = gateway()
    await keepHandover(agentId, first)
    await Promise.all([sendOutbox(agentId), sendOutbox(agentId), sendOutbox(agentId)])
    expect(sent()).toHaveLength(1)
  })

  it('is sent, and counted once, also while a tab that began to send it is suspended', async () => {
    beginShift(agentId)
    stubLocks()
    let isSuspended = true
    const resumed = Promise.withResolvers<StubResponse>()
    const sent = gateway(() => {
      if (!isSuspended) return recorded
      isSuspended = false
      return resumed.promise
    })
    await keepHandover(agentId, first)
    const suspended = sendOutbox(agentId)
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    // The page of another tab.
    vi.resetModules()
    const other = await import('./outbox.ts')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const waiting = other.sendOutbox(agentId)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect(await waiting).toBe('done')
    expect(await statesOf()).toEqual([[first, 'recorded']])
    resumed.resolve(recorded)
    expect(await suspended).toBe('done')
    expect(new Set(sent().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(sent()).toHaveLength(2)
    expect(readShift(agentId)?.received).toBe(1)
  })

  it('of a double tap is one', async () => {
    const sent = gateway(({ headers }) =>
      headers['idempotency-key'] === sent()[0]?.headers['idempotency-key']
        ? recorded
        : problem(409, 'ALREADY_RECEIVED', 'Received.'),
    )
    await Promise.all([keepHandover(agentId, first), keepHandover(agentId, first)])
    await sendOutbox(agentId)
    expect(sent()).toHaveLength(1)
    expect(await statesOf()).toEqual([[first, 'recorded']])
  })

  it('can be made again after an undo that waits', async () => {
    gateway(() => undefined)
    await keepHandover(agentId, first)
    await sendOutbox(agentId)
    const [entry] = await readOutbox(agentId)
    await undoHandoverLater(entry?.id ?? '')
    await keepHandover(agentId, first)
    expect(await readOutbox(agentId)).toHaveLength(2)
  })

  it('follows the older ones', async () => {
    const sent = gateway()
    await keepHandover(agentId, first)
    await keepHandover(agentId, second)
    const entries = await readOutbox(agentId)
    const newer = entries.find(({ awb }) => awb === second)
    await changeEntry(newer?.id ?? '', (entry) => ({ ...entry, receivedAt: entry.receivedAt - 60_000 }))
    await sendOutbox(agentId)
    expect(sent().map(({ body }) => (body as { awb: string }).awb)).toEqual([second, first])
  })

  it('is forgotten when its undo window has passed', async () => {
    gateway()
    await keepHandover(agentId, first)
    await sendOutbox(agentId)
    const [entry] = await readOutbox(agentId)
    await changeEntry(entry?.id ?? '', (known) => ({ ...known, recordedAt: Date.now() - undoWindowMs }))
    expect(await statesOf()).toEqual([])
  })
})

describe('another agent', () => {
  it('sees none of it', async () => {
    gateway(() => undefined)
    await keepHandover(agentId, first)
    expect(await readOutbox(4)).toEqual([])
    expect(await countWaiting(4)).toBe(0)
  })

  it.each([
    ['who has signed in on another tab', { body: { success: true, agentId: 4, name: 'B', phone: '+2' } }],
    ['after the session has ended', problem(401, 'NOT_SIGNED_IN', 'Please sign in first.')],
  ])('does not send it: %s', async (_, session) => {
    const sent = gateway(() => recorded, session)
    await keepHandover(agentId, first)
    expect(await sendOutbox(agentId)).toBe('signed-out')
    expect(sent()).toEqual([])
    expect(await statesOf()).toEqual([[first, 'waiting']])
  })

  it('has nothing to send', async () => {
    const sent = gateway()
    await keepHandover(agentId, first)
    expect(await sendOutbox(4)).toBe('done')
    expect(sent()).toEqual([])
  })
})

describe('an undo', () => {
  const idOf = async () => (await readOutbox(agentId))[0]?.id ?? ''
  const methods = (calls: readonly RecordedCall[]) => calls.map(({ method }) => method)

  it('of a recorded hand-over is sent', async () => {
    const sent = gateway()
    await keepHandover(agentId, first)
    await sendOutbox(agentId)
    await undoHandoverLater(await idOf())
    expect(await sendOutbox(agentId)).toBe('done')
    expect(methods(sent())).toEqual(['POST', 'DELETE'])
    expect(await statesOf()).toEqual([])
  })

  it('after a lost answer first learns what was recorded', async () => {
    let isBroken = true
    const sent = gateway(() => (isBroken ? undefined : recorded))
    await keepHandover(agentId, first)
    await sendOutbox(agentId)
    await undoHandoverLater(await idOf())
    isBroken = false
    await sendOutbox(agentId)
    expect(methods(sent())).toEqual(['POST', 'POST', 'DELETE'])
    expect(await statesOf()).toEqual([])
  })

  it('and what it undoes are known of the bag here, also before its list is asked for again', async () => {
    beginShift(agentId)
    const at = new Date().toISOString()
    const event = { kind: 'handed-over', at, source: 'agent' } as const
    const [ready, taken] = [
      bookingOf(),
      bookingOf({ state: 'HANDED_OVER', lastEventAt: at, events: [event] }),
    ]
    const ofOther = bookingOf({ awb: second })
    const order = orderOf({ bookings: [taken, ofOther] })
    gateway(({ method }) => ({
      body: { success: true, ...(method === 'POST' && { order }), booking: ready },
    }))
    keepBags(agentId, [orderOf({ bookings: [ready, ofOther] })], Date.now())
    const known = () => findKeptBag(agentId, first)?.order.bookings.map(({ awb, state }) => [awb, state])
    await keepHandover(agentId, first)
    await sendOutbox(agentId)
    expect(known()).toEqual([
      [first, 'HANDED_OVER'],
      [second, 'READY'],
    ])
    await undoHandoverLater(await idOf())
    await sendOutbox(agentId)
    expect(known()).toEqual([
      [first, 'READY'],
      [second, 'READY'],
    ])
  })

  it('during sending is not lost', async () => {
    const sent = gateway()
    await keepHandover(agentId, first)
    const id = await idOf()
    const stop = onOutboxChange(() => {
      stop()
      void undoHandoverLater(id)
    })
    await sendOutbox(agentId)
    await sendOutbox(agentId)
    expect(methods(sent())).toEqual(['POST', 'DELETE'])
    expect(await statesOf()).toEqual([])
  })
})
