import type { Photo } from '#client/entities/claim/photo.ts'
import { call, isCallProblem } from '#client/platform/call.ts'
import { newIdempotencyKey } from '#client/platform/idempotency-key.ts'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import { createStore } from '#client/platform/store.ts'
import {
  recordHandover,
  refuseBag,
  storeHandoverPhoto,
  undoHandover,
} from '#shared/orders/handovers.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { readAgentSession } from '#shared/sessions/sessions.operations.ts'
import { findKeptBag, keepBags } from './kept-bags.ts'
import {
  afterRefusal,
  firstDue,
  isFinal,
  isOver,
  isPhotoDue,
  isPhotoRefused,
  isUnsent,
  isWaiting,
  newEntry,
  nextStep,
  type OutboxEntry,
  type Report,
  withoutPhoto,
  withSentPhoto,
} from './outbox.rules.ts'
import { addEntry, changeEntry, deleteEntry, entriesOf, findEntry, findPhoto } from './outbox.store.ts'
import { markPhotos } from './photo-mark.ts'
import { countInShift } from './shift.ts'

/*
 * Sends the agent's confirmations, each exactly once: an entry is stored before its first request, every request of it has
 * the same Idempotency-Key, and one tab sends at a time, unless one is suspended. The page sends, not a service worker:
 * Background Sync exists in Chromium only (docs/decisions/0017-own-service-worker.md).
 */

/**
 * `signed-out`: the agent has to sign in again. `unreachable`: the server did not answer, or not as the gateway does.
 * `busy`: the server accepts no hand-over for some seconds.
 */
export type SendOutcome = 'done' | 'unreachable' | 'signed-out' | 'busy'

/** `decided`: the server has decided about an entry. */
type News = 'changed' | 'decided'

const changes = createStore(0)
const decisions = createStore(0)
/** Sends changes to the other tabs of this browser. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('handovers') : undefined
channel?.addEventListener('message', ({ data }: MessageEvent<News>) => tell(data))

/** Runs after every change of an entry, also by another tab. @returns a function that removes the listener. */
export const onOutboxChange = changes.subscribe

/** Runs after every change by an answer of the server. @returns a function that removes the listener. */
export const onDecision = decisions.subscribe

function tell(news: News): void {
  changes.set(changes.get() + 1)
  if (news === 'decided') decisions.set(decisions.get() + 1)
}

function announce(news: News = 'changed'): void {
  tell(news)
  channel?.postMessage(news)
}

/** The agent's entries that still matter. */
export async function readOutbox(agentId: number): Promise<readonly OutboxEntry[]> {
  const entries = await entriesOf(agentId)
  const over = entries.filter((entry) => isOver(entry, Date.now()))
  await Promise.all(over.map(({ id }) => deleteEntry(id)))
  return entries.filter((entry) => !over.includes(entry))
}

/** How many entries have not reached the server; 0 where nothing can be stored. */
export async function countWaiting(agentId: number): Promise<number> {
  try {
    return (await entriesOf(agentId)).filter(isWaiting).length
  } catch {
    return 0
  }
}

/**
 * Stores a confirmation, or another report of a bag, one for a double tap: a second would be refused. It is sent by the next
 * `sendOutbox`.
 */
export async function keepHandover(
  agentId: number,
  awb: string,
  report?: Report,
  photo?: Photo,
): Promise<void> {
  const facts = { id: newIdempotencyKey(), agentId, awb, receivedAt: Date.now() }
  const entry = newEntry({ ...facts, ...(report && { report }) })
  const isSame = (known: OutboxEntry) =>
    known.awb === awb && known.report?.kind === report?.kind && isUnsent(known)
  try {
    if (photo === undefined) await addEntry(entry, isSame)
    else {
      markPhotos(agentId)
      await addEntry({ ...entry, preview: photo.preview, hasUnsentPhoto: true }, isSame, photo.bytes)
    }
  } catch (error) {
    if (photo === undefined) throw error
    // The device has no room for the picture.
    await addEntry(entry, isSame)
  }
  announce()
}

/** The picture goes at once: nobody sends the picture of a bag that was not taken. */
export async function undoHandoverLater(id: string): Promise<void> {
  await changeEntry(id, (entry) => ({ ...withoutPhoto(entry), isUndone: true }))
  announce()
}

/** Forgets a refusal that the agent has read. An undo that was refused leaves nothing to do either. */
export async function dismissRefusal(id: string): Promise<void> {
  await deleteEntry(id)
  announce()
}

/** Nothing is sent before this time, from `Retry-After`. It is a time of `performance.now()`, which a user cannot set. */
let heldUntil = 0
/** The same for pictures alone. */
let photosHeldUntil = 0

/**
 * Sends all that waits, oldest first; nothing before the time that the server has named. One try after the other: `signal`
 * ends one whose turn has not come.
 */
export async function sendOutbox(agentId: number, signal?: AbortSignal): Promise<SendOutcome> {
  return inOneTab(`handovers-${agentId}`, async () => {
    signal?.throwIfAborted()
    if (performance.now() < heldUntil) return 'busy'
    heldUntil = 0
    const next = async () => firstDue(await entriesOf(agentId), performance.now() < photosHeldUntil)
    let due = await next()
    if (due === undefined) return 'done'
    try {
      if (!(await isSignedIn(agentId))) return 'signed-out'
      for (; due !== undefined; due = await next()) await advance(due.id)
      return 'done'
    } catch (error) {
      return outcomeOf(error)
    }
  })
}

/** The outcome of a try that failed. Nothing is sent before the time that the server has named. */
function outcomeOf(error: unknown): SendOutcome {
  if (!isCallProblem(error)) return 'unreachable'
  if (error.status === 429) {
    heldUntil = performance.now() + (error.retryAfterSeconds ?? 0) * 1_000
    return 'busy'
  }
  return error.status === 401 ? 'signed-out' : 'unreachable'
}

/** Another tab may have signed in another agent meanwhile: the cookie decides who sends, not this page. */
async function isSignedIn(agentId: number): Promise<boolean> {
  const session = await call(readAgentSession)
  return session.success && session.agentId === agentId
}

/** Does the next step of an entry. @throws when the server did not decide: the entry waits. */
async function advance(id: string): Promise<void> {
  const entry = await findEntry(id)
  if (entry === undefined) return
  const step = nextStep(entry)
  if (step === 'rest') await sendPhoto(entry)
  else if (step === 'drop') await deleteEntry(id)
  else await (step === 'record' ? record(entry) : undo(entry))
  announce(step === 'record' || step === 'undo' ? 'decided' : 'changed')
}

async function record({ id, agentId, awb, receivedAt, report }: OutboxEntry): Promise<void> {
  await changeEntry(id, (entry) => ({ ...entry, wasTried: true }))
  const headers = { 'idempotency-key': id }
  const isRefusal = report?.kind === 'not-accepted'
  const askedAt = Date.now()
  const answer = await decided<{ booking: Booking; order?: Order }>(id, 'record', () => {
    if (isRefusal) {
      const { reason, text } = report
      return call(refuseBag, { body: { awb, reason, ...(text !== undefined && { text }) }, headers })
    }
    const times = { receivedAt: new Date(receivedAt).toISOString(), sentAt: new Date(askedAt).toISOString() }
    return call(recordHandover, { body: { awb, ...times }, headers })
  })
  if (answer === undefined) return
  let isCounted = true
  await changeEntry(id, ({ report: _, ...entry }) => {
    isCounted = entry.recordedAt !== null
    return {
      ...entry,
      // A scan that the page refused, and the server took: the agent sees it, and may undo it.
      ...(isRefusal && { report: { kind: report.kind, reason: report.reason } }),
      recordedAt: entry.recordedAt ?? Date.now(),
    }
  })
  // Another tab that sent the entry too may have counted it.
  if (!isCounted) countInShift(agentId, isRefusal ? 'notAccepted' : 'received', 1)
  // Keep the bag as received: a later scan without a network then finds it received.
  if (answer.order !== undefined) keepBags(agentId, [answer.order], askedAt)
}

async function undo({ id, agentId, awb }: OutboxEntry): Promise<void> {
  const askedAt = Date.now()
  const answer = await decided(id, 'undo', () => call(undoHandover, { params: { awb } }))
  if (answer === undefined) return
  await deleteEntry(id)
  countInShift(agentId, 'received', -1)
  const known = findKeptBag(agentId, awb)?.order
  if (known === undefined) return
  const bookings = known.bookings.map((booking) => (booking.awb === awb ? answer.booking : booking))
  keepBags(agentId, [{ ...known, bookings }], askedAt)
}

/** Sends the picture of a hand-over that is recorded. A picture that the server refuses is dropped; the hand-over stays. */
async function sendPhoto(entry: OutboxEntry): Promise<void> {
  if (!isPhotoDue(entry)) return
  const { id, awb } = entry
  const body = await findPhoto(id)
  if (body === undefined) return changeEntry(id, withoutPhoto)
  try {
    await call(storeHandoverPhoto, { params: { awb }, body, headers: { 'content-type': 'image/jpeg' } })
  } catch (error) {
    if (!isCallProblem(error)) throw error
    if (error.status === 429) {
      photosHeldUntil = performance.now() + Math.max(1, error.retryAfterSeconds ?? 1) * 1_000
      return
    }
    if (!isPhotoRefused(error)) throw error
    return changeEntry(id, withoutPhoto)
  }
  await changeEntry(id, withSentPhoto)
}

/** Runs a request. @returns its answer; undefined when the server refused it for good, which the entry then says. */
async function decided<T>(
  id: string,
  step: 'record' | 'undo',
  request: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await request()
  } catch (error) {
    if (!isCallProblem(error) || !isFinal(error)) throw error
    const { code, message } = error
    await changeEntry(id, (entry) => afterRefusal(entry, { step, code, message }))
    return undefined
  }
}

let running: Promise<unknown> = Promise.resolve()

/**
 * Runs one `work` after the other in this tab, and one tab at a time. If two tabs still send the same entry, the
 * Idempotency-Key makes one hand-over of it.
 */
function inOneTab<T>(name: string, work: () => Promise<T>): Promise<T> {
  const next = running.then(() => oneTabAtATime(name, work))
  running = next.catch(() => undefined)
  return next
}
