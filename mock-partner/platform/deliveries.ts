import type { Clock } from './clock.ts'
import type { IdSequence } from './ids.ts'
import type { CallbackProof } from './journal.entry.ts'
import type { Journal } from './journal.ts'
import type { References } from './references.ts'
import type { Scheduler } from './scheduler.ts'

/** One document on its way to one address. */
export interface Delivery {
  id: number
  /** payment, tracking or messaging. */
  service: string
  /** The key that the sender finds its deliveries by. */
  group: string
  about: Record<string, string | number>
  url: string
  /** Dropped when the delivery has ended. */
  content: DeliveryContent | null
  /** Whether a failed attempt is repeated. */
  retries: boolean
  state: 'waiting' | 'delivered' | 'given-up' | 'lost'
  attempts: { at: number; status: number | null; error: string | null }[]
  /** Epoch milliseconds of the next attempt; null when there will be none. */
  nextAttemptAt: number | null
}

interface DeliveryContent {
  body: string
  /** Sent besides those of every delivery. */
  headers: Record<string, string>
  /** For the journal. */
  operation: string
  references: References
  proof: CallbackProof
}

export interface DeliveryOrder extends Pick<Delivery, 'service' | 'group' | 'about' | 'url' | 'retries'> {
  content: DeliveryContent
  delayMs: number
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
  headers: Record<string, string>,
) => Promise<CallbackAnswer>

/** Ours: the provider publishes no schedule (docs/wires/payment.md P27). It outlasts a restart of the receiver. */
export const retryDelaysMs = [1_000, 3_000, 10_000, 30_000, 60_000, 300_000] as const

const attemptTimeoutMs = 10_000
/** The oldest groups of deliveries are dropped beyond this many, so that long runs stay small. */
const groupLimit = 50_000
/** Bytes; what follows is not read. */
const longestAnswer = 65_536

const headersOf = ({ headers }: DeliveryContent): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'mock-partner',
  ...headers,
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

const postByHttp: Post = async (url, body, signal, headers) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]),
  })
  // A status is an answer, also when its body cannot be read.
  const text = await beginningOf(answer.body).catch(() => '')
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Why a receiver may have refused, as far as the sender knows. */
function whyRefused({ key, differences }: CallbackProof): string {
  const reasons = [
    ...(key === 'wrong-key' ? ["signed with another key than the account's"] : []),
    ...differences.map(({ field, sent, expected }) =>
      expected === null
        ? `${field} is ${String(sent)}, which the provider does not have`
        : `${field} is ${String(sent)} instead of ${String(expected)}`,
    ),
  ]
  return reasons.join('; ') || 'the key and every signed field are right: the answer says why'
}

interface DeliveriesOptions {
  clock: Clock
  scheduler: Scheduler
  ids: IdSequence
  journal: Journal
  onChange: () => void
  post?: Post | undefined
}

/** Callbacks on their way to the receiver, with retries. Each attempt, and each lost callback, is in the journal. */
export function createDeliveries(options: DeliveriesOptions) {
  const { clock, scheduler, ids, journal, onChange, post = postByHttp } = options
  /** Newest first in each group. */
  const groups = new Map<string, Delivery[]>()
  const running = new Set<Promise<void>>()
  const attempts = new Map<string, number>()
  const closing = new AbortController()

  const listOf = (group: string): Delivery[] => groups.get(group) ?? []

  function keep(delivery: Delivery): void {
    groups.set(delivery.group, [delivery, ...listOf(delivery.group)])
    const [oldest] = groups.keys()
    if (groups.size > groupLimit && oldest !== undefined) groups.delete(oldest)
  }

  function create({ delayMs: _, ...order }: DeliveryOrder): Delivery {
    const delivery: Delivery = {
      ...order,
      id: ids.next(),
      state: 'waiting',
      attempts: [],
      nextAttemptAt: null,
    }
    keep(delivery)
    onChange()
    return delivery
  }

  function end(delivery: Delivery, state: Delivery['state']): void {
    delivery.state = state
    delivery.content = null
    delivery.nextAttemptAt = null
  }

  function note(
    { id, about, service, state, attempts: made, nextAttemptAt, url }: Delivery,
    content: DeliveryContent,
    outcome: { at: number; answer: CallbackAnswer | null; error: string | null; durationMs: number },
  ): void {
    const { operation, references, proof, body } = content
    const { answer, ...rest } = outcome
    journal.add({
      ...rest,
      ...references,
      direction: 'out',
      service,
      operation,
      request: { method: 'POST', url, headers: headersOf(content), body },
      response: answer,
      fault: null,
      callback: {
        id,
        mode: typeof about.mode === 'string' ? about.mode : null,
        attempt: made.length,
        state,
        nextAttemptAt: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
        ...proof,
        why: answer === null || isAccepted(answer.status) ? null : whyRefused(proof),
      },
    })
  }

  const postTo = ({ url }: Delivery, content: DeliveryContent) =>
    post(url, content.body, closing.signal, headersOf(content)).then(
      (answer) => ({ answer, error: null }),
      (failure: unknown) => ({ answer: null, error: reasonOf(failure) }),
    )

  /** After an attempt: the delivery has ended, or is tried again later. */
  function proceed(delivery: Delivery, status: number | null): void {
    const delayMs = retryDelaysMs[delivery.attempts.length - 1]
    if (isAccepted(status)) end(delivery, 'delivered')
    else if (!delivery.retries || delayMs === undefined) end(delivery, 'given-up')
    else schedule(delivery, delayMs)
    onChange()
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { content, service } = delivery
    if (content === null || closing.signal.aborted) return
    delivery.nextAttemptAt = null
    attempts.set(service, (attempts.get(service) ?? 0) + 1)
    const at = clock.now()
    const startedMs = performance.now()
    const { answer, error } = await postTo(delivery, content)
    if (answer === null && closing.signal.aborted) {
      delivery.nextAttemptAt = at
      return
    }
    const status = answer?.status ?? null
    delivery.attempts.push({ at, status, error })
    // A reset during the attempt has dropped this delivery.
    if (!listOf(delivery.group).includes(delivery)) return
    proceed(delivery, status)
    note(delivery, content, { at, answer, error, durationMs: performance.now() - startedMs })
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
    /** Sends at once or after the delay. `attempted` resolves after an attempt at once and never rejects. */
    send(order: DeliveryOrder): { delivery: Delivery; attempted: Promise<void> } {
      const delivery = create(order)
      if (order.delayMs === 0) return { delivery, attempted: track(delivery) }
      schedule(delivery, order.delayMs)
      return { delivery, attempted: Promise.resolve() }
    },
    /** Records a delivery that is never made. */
    lose(order: DeliveryOrder): Delivery {
      const delivery = create({ ...order, delayMs: 0 })
      end(delivery, 'lost')
      const nothing = { answer: null, error: 'lost: it was never sent', durationMs: 0 }
      note(delivery, order.content, { at: clock.now(), ...nothing })
      return delivery
    },
    /** Newest first. */
    listOf,
    /** Attempts made for a service since the last reset. */
    attempts: (service: string) => attempts.get(service) ?? 0,
    reset(): void {
      groups.clear()
      attempts.clear()
    },
    /** Aborts running attempts and starts none; what is not delivered stays `waiting` for the next start. */
    async close(): Promise<void> {
      closing.abort(new Error('the simulator is closing'))
      await Promise.all(running)
    },
    snapshot: () => ({
      attempts: [...attempts],
      deliveries: [...groups.values()].flatMap((group) => group.toReversed()),
    }),
    restore(stored: { attempts: [string, number][]; deliveries: Delivery[] }): void {
      for (const [service, count] of stored.attempts) attempts.set(service, count)
      for (const delivery of stored.deliveries) {
        keep(delivery)
        if (delivery.state === 'waiting')
          schedule(delivery, Math.max(0, (delivery.nextAttemptAt ?? 0) - clock.now()))
      }
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>
