import type { Clock } from './clock.ts'
import type { IdSequence } from './ids.ts'
import type { Scheduler } from './scheduler.ts'

interface DeliveryAttempt {
  /** Epoch milliseconds on the simulator's clock. */
  at: number
  /** HTTP status of the answer; null when there was none. */
  status: number | null
  error: string | null
}

type DeliveryState = 'waiting' | 'delivered' | 'given-up' | 'lost'

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
  delayMs: number
  /** Whether a failed attempt is repeated. */
  retries: boolean
}

/** Answers the HTTP status, rejects when there was no answer. */
export type Post = (
  url: string,
  body: string,
  signal: AbortSignal,
  headers?: Record<string, string>,
) => Promise<number>

/** Ours: the provider publishes no schedule (docs/wires/payment.md P27). It outlasts a restart of the receiver. */
export const retryDelaysMs = [1_000, 3_000, 10_000, 30_000, 60_000, 300_000] as const

const attemptTimeoutMs = 10_000
/** The oldest deliveries are dropped beyond this many, so that long runs stay small. */
const deliveryLimit = 50_000

const postJson: Post = async (url, body, signal, headers) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'mock-partner', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]),
  })
  await answer.body?.cancel()
  return answer.status
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
}

/** Callbacks on their way to the receiver, with retries. */
export function createDeliveries(options: DeliveriesOptions) {
  const { clock, scheduler, ids, onChange, post = postJson } = options
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
    const { group, about, url, body, headers, retries } = order
    const delivery: Delivery = {
      id: ids.next(),
      group,
      about,
      url,
      body: state === 'waiting' ? body : null,
      ...(headers && { headers }),
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
    delivery.nextAttemptAt = null
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { body } = delivery
    if (body === null || closing.signal.aborted) return
    delivery.nextAttemptAt = null
    attempts += 1
    const at = clock.now()
    const outcome = await post(delivery.url, body, closing.signal, delivery.headers).then(
      (status) => ({ at, status, error: null }),
      (error: unknown) => ({ at, status: null, error: reasonOf(error) }),
    )
    if (outcome.status === null && closing.signal.aborted) {
      delivery.nextAttemptAt = at
      return
    }
    delivery.attempts.push(outcome)
    // A reset during the attempt has dropped this delivery.
    if (deliveries.get(delivery.id) !== delivery) return
    const delayMs = retryDelaysMs[delivery.attempts.length - 1]
    if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) end(delivery, 'delivered')
    else if (!delivery.retries || delayMs === undefined) end(delivery, 'given-up')
    else schedule(delivery, delayMs)
    onChange()
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
    lose: (order: DeliveryOrder) => create(order, 'lost'),
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
