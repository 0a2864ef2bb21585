import type { Clock } from './clock.ts'
import type { IdSequence } from './ids.ts'
import type { CallbackProof, Subject } from './journal.entry.ts'
import type { Scheduler } from './scheduler.ts'

interface DeliveryAttempt {
  /** Epoch milliseconds on the simulator's clock. */
  at: number
  /** HTTP status of the answer; null when there was none. */
  status: number | null
  error: string | null
}

type DeliveryState = 'waiting' | 'delivered' | 'given-up' | 'lost'

/** What the journal writes about a callback. */
export interface DeliverySubject {
  service: string
  subject: Subject
  proof: CallbackProof
}

/** One JSON document on its way to one address. */
export interface Delivery {
  id: number
  /** The key that the sender finds its deliveries by. */
  group: string
  about: Record<string, string | number>
  url: string
  /** The document to send; dropped when the delivery has ended. */
  body: string | null
  /** Sent besides those of every delivery. Absent in files of older versions. */
  headers?: Record<string, string>
  /** Dropped like the document. Absent in files of older versions. */
  journal?: DeliverySubject
  retries: boolean
  state: DeliveryState
  attempts: DeliveryAttempt[]
  /** Epoch milliseconds of the next attempt; null when there will be none. */
  nextAttemptAt: number | null
}

interface DeliveryOrder {
  group: string
  about: Record<string, string | number>
  url: string
  body: string
  headers?: Record<string, string>
  journal?: DeliverySubject
  delayMs: number
  /** Whether a failed attempt is repeated. */
  retries: boolean
}

export interface CallbackAnswer {
  status: number
  headers: Record<string, string>
  /** At most `longestAnswer` bytes of it. */
  body: string
}

/** Rejects when there was no answer. */
export type Post = (
  url: string,
  body: string,
  signal: AbortSignal,
  headers?: Record<string, string>,
) => Promise<CallbackAnswer>

/** An attempt that has ended, or a callback that is lost and never sent. */
export interface AttemptReport {
  delivery: Delivery
  journal: DeliverySubject
  /** Epoch milliseconds on the simulator's clock. */
  at: number
  body: string
  /** As they were sent. */
  headers: Record<string, string>
  answer: CallbackAnswer | null
  error: string | null
  durationMs: number
}

/** Ours: the provider publishes no schedule (docs/wires/payment.md P27). It outlasts a restart of the receiver. */
export const retryDelaysMs = [1_000, 3_000, 10_000, 30_000, 60_000, 300_000] as const

const attemptTimeoutMs = 10_000
/** The oldest deliveries are dropped beyond this many, so that long runs stay small. */
const deliveryLimit = 50_000

/** Bytes; what follows is not read. */
const longestAnswer = 65_536

const headersOf = (own: Record<string, string> = {}): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'mock-partner',
  ...own,
})

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= longestAnswer) break
  }
  return Buffer.concat(chunks).subarray(0, longestAnswer).toString()
}

const postJson: Post = async (url, body, signal, headers) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: headersOf(headers),
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]),
  })
  // With a status there is an answer, whatever becomes of its body.
  const text = await beginningOf(answer.body).catch(() => '')
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

interface DeliveriesState {
  attempts: number
  deliveries: Delivery[]
}

interface DeliveriesOptions {
  clock: Clock
  scheduler: Scheduler
  ids: IdSequence
  onChange: () => void
  post?: Post
  /** Called after each attempt, and for each callback that is lost. */
  onAttempt?: (report: AttemptReport) => void
}

/** Callbacks on their way to the receiver, with retries. */
export function createDeliveries(options: DeliveriesOptions) {
  const { clock, scheduler, ids, onChange, post = postJson, onAttempt = () => {} } = options
  const deliveries = new Map<number, Delivery>()
  const groups = new Map<string, Delivery[]>()
  const running = new Set<Promise<void>>()
  let attempts = 0
  const closing = new AbortController()

  function keep(delivery: Delivery): void {
    deliveries.set(delivery.id, delivery)
    groups.set(delivery.group, [delivery, ...(groups.get(delivery.group) ?? [])])
    if (deliveries.size <= deliveryLimit) return
    const [oldest] = deliveries.values()
    if (oldest === undefined) return
    deliveries.delete(oldest.id)
    const rest = (groups.get(oldest.group) ?? []).filter(({ id }) => id !== oldest.id)
    if (rest.length > 0) groups.set(oldest.group, rest)
    else groups.delete(oldest.group)
  }

  function create(order: DeliveryOrder, state: DeliveryState): Delivery {
    const { group, about, url, body, headers, journal, retries } = order
    const delivery: Delivery = {
      id: ids.next(),
      group,
      about,
      url,
      body: state === 'waiting' ? body : null,
      ...(headers && { headers }),
      ...(journal && state === 'waiting' && { journal }),
      retries,
      state,
      attempts: [],
      nextAttemptAt: null,
    }
    keep(delivery)
    onChange()
    return delivery
  }

  function end(delivery: Delivery, state: DeliveryState): void {
    delivery.state = state
    delivery.body = null
    delete delivery.journal
    delivery.nextAttemptAt = null
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { body, journal } = delivery
    if (body === null || closing.signal.aborted) return
    delivery.nextAttemptAt = null
    attempts += 1
    const at = clock.now()
    const startedMs = performance.now()
    const { answer, error } = await post(delivery.url, body, closing.signal, delivery.headers).then(
      (given) => ({ answer: given, error: null }),
      (failure: unknown) => ({ answer: null, error: reasonOf(failure) }),
    )
    if (answer === null && closing.signal.aborted) {
      delivery.nextAttemptAt = at
      return
    }
    const outcome = { at, status: answer?.status ?? null, error }
    delivery.attempts.push(outcome)
    // A reset during the attempt has dropped this delivery.
    if (deliveries.get(delivery.id) !== delivery) return
    const delayMs = retryDelaysMs[delivery.attempts.length - 1]
    if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) end(delivery, 'delivered')
    else if (!delivery.retries || delayMs === undefined) end(delivery, 'given-up')
    else schedule(delivery, delayMs)
    onChange()
    const durationMs = performance.now() - startedMs
    const headers = headersOf(delivery.headers)
    if (journal !== undefined) onAttempt({ delivery, journal, at, body, headers, answer, error, durationMs })
  }

  function track(delivery: Delivery): Promise<void> {
    const run = attempt(delivery).finally(() => running.delete(run))
    running.add(run)
    return run
  }

  function schedule(delivery: Delivery, delayMs: number): void {
    delivery.nextAttemptAt = clock.now() + delayMs
    if (!closing.signal.aborted) scheduler.after(delayMs, () => track(delivery))
  }

  return {
    /** Sends at once or after the delay. `attempted` resolves after the first attempt and never rejects. */
    send(order: DeliveryOrder): { delivery: Delivery; attempted: Promise<void> } {
      const delivery = create(order, 'waiting')
      if (order.delayMs === 0) return { delivery, attempted: track(delivery) }
      delivery.nextAttemptAt = clock.now() + order.delayMs
      const attempted = new Promise<void>((resolve) => {
        scheduler.after(order.delayMs, () => track(delivery).then(resolve))
      })
      return { delivery, attempted }
    },
    /** Records a delivery that is never made. */
    lose(order: DeliveryOrder): Delivery {
      const delivery = create(order, 'lost')
      const { journal, body } = order
      const headers = headersOf(order.headers)
      const nothing = { answer: null, error: 'lost: it was never sent', durationMs: 0 }
      if (journal !== undefined) onAttempt({ delivery, journal, at: clock.now(), body, headers, ...nothing })
      return delivery
    },
    /** Newest first. */
    listOf: (group: string): Delivery[] => groups.get(group) ?? [],
    /** Attempts made since the last reset. */
    attempts: () => attempts,
    reset(): void {
      deliveries.clear()
      groups.clear()
      attempts = 0
    },
    /** Aborts running attempts and starts no more; what is not delivered stays `waiting` for the next start. */
    async close(): Promise<void> {
      closing.abort(new Error('the simulator is closing'))
      await Promise.all(running)
    },
    snapshot: (): DeliveriesState => ({ attempts, deliveries: [...deliveries.values()] }),
    restore(state: unknown): void {
      const { attempts: made, deliveries: known } = state as DeliveriesState
      attempts = made
      for (const delivery of known) {
        keep(delivery)
        if (delivery.state === 'waiting')
          schedule(delivery, Math.max(0, (delivery.nextAttemptAt ?? 0) - clock.now()))
      }
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>
