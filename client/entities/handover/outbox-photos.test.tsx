// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Photo } from '#client/entities/claim/photo.ts'
import { createQueryClient } from '#client/platform/query-client.ts'
import { ownBrowser, wipeAgent, wipeOverdueBags, wipeStorage } from '#client/session/session.wipe.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { bookingOf } from '#test/builders/answer.builder.ts'
import { beginShift } from '#test/kit/client/agent-shift.ts'
import { emptyOutbox } from '#test/kit/client/empty-outbox.ts'
import { stubLocks } from '#test/kit/client/locks.ts'
import { problem, type RecordedCall, type StubResponse, stubGateway } from '#test/kit/client/render-page.tsx'
import { undoWindowMs } from './outbox.rules.ts'
import { changeEntry, closeOutbox, findPhoto } from './outbox.store.ts'
import { countWaiting, keepHandover, readOutbox, sendOutbox, undoHandoverLater } from './outbox.ts'

const agentId = 3
const [first, second] = ['290012345678', '290087654321'] as const
const stored: StubResponse = { body: { success: true, booking: bookingOf({ hasPhoto: true }) } }

const photoOf = (mark: number): Photo => ({
  bytes: new Uint8Array([0xff, 0xd8, mark]),
  preview: `data:image/jpeg;base64,${mark}`,
})

/** A gateway that records each hand-over, and answers pictures by `answer`; `undefined` is a broken line. */
function gateway(
  answer: (call: RecordedCall) => StubResponse | Promise<StubResponse> | undefined = () => stored,
) {
  const calls = stubGateway({
    'GET /api/auth/agent': { body: { success: true, agentId, name: 'Counter 1', phone: '+9665' } },
    'POST /api/handovers': { body: { success: true } },
    [`PUT /api/handovers/${first}/photo`]: answer,
    [`PUT /api/handovers/${second}/photo`]: answer,
    [`DELETE /api/handovers/${first}`]: { body: { success: true, booking: bookingOf() } },
  })
  return () =>
    calls
      .filter(({ path }) => path.startsWith('/api/handovers'))
      .map(({ method, path, body }) => `${method} ${(body as { awb?: string })?.awb ?? path.split('/')[3]}`)
}

const entryOf = async (awb: string) => {
  const entry = (await readOutbox(agentId)).find((each) => each.awb === awb)
  if (entry === undefined) throw new Error('there is no such confirmation')
  return entry
}

/** The pictures on this device: of the confirmations, the small copy, and the file itself. */
async function picturesOf() {
  const entries = (await readOutbox(agentId)).toSorted((a, b) => a.awb.localeCompare(b.awb))
  return Promise.all(
    entries.map(async ({ id, awb, preview }) => [awb, preview?.at(-1), (await findPhoto(id))?.at(-1)]),
  )
}

/** A later confirmation is later by the device's clock, too. */
async function keepBoth(): Promise<void> {
  await keepHandover(agentId, first, undefined, photoOf(1))
  await keepHandover(agentId, second, undefined, photoOf(2))
  await changeEntry((await entryOf(second)).id, (entry) => ({ ...entry, receivedAt: entry.receivedAt + 1 }))
}

/** Milliseconds since the page was opened. The wait that a server asks for outlives a test: each begins a minute later. */
let pageTime = 0

beforeEach(async () => {
  pageTime += 60_000
  vi.spyOn(performance, 'now').mockImplementation(() => pageTime)
  localStorage.clear()
  beginShift(agentId)
  await emptyOutbox()
})

describe('the picture of a bag', () => {
  it('is sent as it is, after all confirmations, each to its own bag', async () => {
    const bodies: unknown[] = []
    const sent = gateway(({ path, headers, body }) => {
      bodies.push([path.split('/')[3], headers['content-type'], (body as Uint8Array).at(-1)])
      return stored
    })
    await keepBoth()
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent()).toEqual([`POST ${first}`, `POST ${second}`, `PUT ${first}`, `PUT ${second}`])
    expect(bodies).toEqual([
      [first, 'image/jpeg', 1],
      [second, 'image/jpeg', 2],
    ])
    // The file goes when it is sent, the small copy when the undo is over.
    expect(await picturesOf()).toEqual([
      [first, '1', undefined],
      [second, '2', undefined],
    ])
    await sendOutbox(agentId)
    expect(sent()).toHaveLength(4)
    await changeEntry((await entryOf(first)).id, (entry) => ({
      ...entry,
      recordedAt: Date.now() - undoWindowMs,
    }))
    expect(await picturesOf()).toEqual([[second, '2', undefined]])
  })

  it('waits through broken lines and a reload, also after the undo is over, and holds no confirmation up', async () => {
    let isBroken = true
    const sent = gateway(() => (isBroken ? undefined : stored))
    await keepHandover(agentId, first, undefined, photoOf(1))
    expect(await sendOutbox(agentId)).toBe('unreachable')
    // The hand-over itself is known to the server.
    expect(await countWaiting(agentId)).toBe(0)
    await changeEntry((await entryOf(first)).id, (entry) => ({
      ...entry,
      recordedAt: Date.now() - undoWindowMs,
    }))
    await closeOutbox()
    await keepHandover(agentId, second)
    expect(await sendOutbox(agentId)).toBe('unreachable')
    expect(sent().at(-2)).toBe(`POST ${second}`)
    isBroken = false
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent().filter((call) => call === `POST ${first}`)).toHaveLength(1)
    expect(await picturesOf()).toEqual([[second, undefined, undefined]])
  })

  it.each([
    [404, 'ORDER_NOT_FOUND'],
    [404, 'NOT_FOUND'],
    [409, 'TOO_LATE'],
    [413, 'BODY_TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [422, 'PHOTO_REFUSED'],
  ])('that is refused by %i %s is dropped, and its hand-over stays', async (status, code) => {
    const sent = gateway(({ path }) => (path.includes(first) ? problem(status, code, 'No') : stored))
    await keepBoth()
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent().slice(2)).toEqual([`PUT ${first}`, `PUT ${second}`])
    expect(await picturesOf()).toEqual([
      [first, undefined, undefined],
      [second, '2', undefined],
    ])
    expect(await entryOf(first)).toMatchObject({ refusal: null, isUndone: false })
    await sendOutbox(agentId)
    expect(sent()).toHaveLength(4)
  })

  it('waits alone when the server takes no more pictures: confirmations go on', async () => {
    const full = problem(429, 'TOO_MANY_CALLS', 'Later')
    let isFull = true
    const sent = gateway(() =>
      isFull ? { ...full, body: { ...(full.body as object), retryAfterSeconds: 1 } } : stored,
    )
    await keepHandover(agentId, first, undefined, photoOf(1))
    expect(await sendOutbox(agentId)).toBe('done')
    await keepHandover(agentId, second)
    expect(await sendOutbox(agentId)).toBe('done')
    expect(sent()).toEqual([`POST ${first}`, `PUT ${first}`, `POST ${second}`])
    isFull = false
    pageTime += 1_000
    await sendOutbox(agentId)
    expect(sent().at(-1)).toBe(`PUT ${first}`)
    expect((await picturesOf())[0]).toContain(undefined)
  })

  it('goes with an undo, whether or not it was sent', async () => {
    const sent = gateway()
    await keepHandover(agentId, first, undefined, photoOf(1))
    const { id } = await entryOf(first)
    await undoHandoverLater(id)
    expect(await findPhoto(id)).toBeUndefined()
    expect((await entryOf(first)).preview).toBeUndefined()
    await sendOutbox(agentId)
    expect(sent()).toEqual([])

    await keepHandover(agentId, first, undefined, photoOf(2))
    await sendOutbox(agentId)
    await undoHandoverLater((await entryOf(first)).id)
    await sendOutbox(agentId)
    expect(sent()).toEqual([`POST ${first}`, `PUT ${first}`, `DELETE ${first}`])
    expect(await picturesOf()).toEqual([])
  })

  it('of a bag that the server does not accept is dropped with the answer', async () => {
    stubGateway({
      'GET /api/auth/agent': { body: { success: true, agentId, name: 'Counter 1', phone: '+9665' } },
      'POST /api/handovers': problem(409, 'DO_NOT_ACCEPT', 'No'),
    })
    await keepHandover(agentId, first, undefined, photoOf(1))
    expect(await sendOutbox(agentId)).toBe('done')
    expect(await picturesOf()).toEqual([[first, undefined, undefined]])
    expect((await entryOf(first)).refusal?.code).toBe('DO_NOT_ACCEPT')
  })

  it('is sent once by two tabs', async () => {
    stubLocks()
    const sent = gateway()
    await keepHandover(agentId, first, undefined, photoOf(1))
    vi.resetModules()
    const other = await import('./outbox.ts')
    await Promise.all([sendOutbox(agentId), other.sendOutbox(agentId)])
    expect(sent()).toEqual([`POST ${first}`, `PUT ${first}`])
    await (await import('./outbox.store.ts')).closeOutbox()
  })

  it('is one for a double press: the one of the first', async () => {
    await keepHandover(agentId, first, undefined, photoOf(1))
    await keepHandover(agentId, first, undefined, photoOf(2))
    expect(await picturesOf()).toEqual([[first, '1', 1]])
  })

  it('that finds no room on the device does not stop its confirmation', async () => {
    const { add } = IDBObjectStore.prototype
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value) {
      if ('bytes' in value) throw new DOMException('full', 'QuotaExceededError')
      return add.call(this, value)
    })
    await keepHandover(agentId, first, undefined, photoOf(1))
    expect(await picturesOf()).toEqual([[first, undefined, undefined]])
  })
})

describe('unsent pictures and the small copies', () => {
  const isMarked = () => localStorage.getItem('bagPhotos') !== null
  beforeEach(async () => {
    await keepHandover(agentId, first, undefined, photoOf(1))
  })

  it.each<[string, () => void]>([
    ['at a sign-out', () => wipeStorage()],
    ['when another agent signs in', () => ownBrowser(createQueryClient(), 'agent', 4)],
    ['when a pilgrim signs in', () => ownBrowser(createQueryClient(), 'user', agentId)],
    [
      'when they are as old as a session may be',
      () => {
        vi.spyOn(Date, 'now').mockReturnValue(Date.now() + sessionLife.agent.absoluteMs)
        wipeOverdueBags()
      },
    ],
  ])('go %s, and the confirmation stays for its agent', async (_, wipe) => {
    wipe()
    await vi.waitFor(() => expect(isMarked()).toBe(false))
    vi.restoreAllMocks()
    expect(await picturesOf()).toEqual([[first, undefined, undefined]])
    const sent = gateway()
    await sendOutbox(agentId)
    expect(sent()).toEqual([`POST ${first}`])
  })

  it('stay when the session ends by itself, and are sent after the next sign-in of the same agent', async () => {
    wipeAgent()
    wipeOverdueBags()
    ownBrowser(createQueryClient(), 'agent', agentId)
    const sent = gateway()
    await sendOutbox(agentId)
    expect(sent()).toEqual([`POST ${first}`, `PUT ${first}`])
  })
})
