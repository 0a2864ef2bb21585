import { eventually } from './eventually.ts'

/** The control API of the simulator (mock-partner/README.md). Times are ISO 8601, money is halalas. */

export interface InboxMessage {
  id: number
  phone: string
  code: string
  text: string
  service: string
  sentAt: string
}

export type Outcome = 'success' | 'decline' | 'cancel' | 'refund' | 'void'
export type CallbackFate = 'send' | 'lose' | 'twice' | 'late' | 'forge' | 'mismatch'

export interface CallbackView {
  id: number
  url: string
  state: 'waiting' | 'delivered' | 'given-up' | 'lost'
  /** HTTP status of the last attempt; null before the first, and when there was no answer. */
  status: number | null
  attempts: readonly { at: string; status: number | null; error: string | null }[]
}

export interface TransactionView {
  id: number
  kind: 'payment' | 'refund' | 'void'
  parentId: number | null
  pending: boolean
  success: boolean
  amount: number
  isVoided: boolean
  refundedAmount: number
}

export interface PaymentView {
  id: string
  intentionOrderId: number
  orderNumber: number | null
  reference: string | null
  clientSecret: string
  amount: number
  currency: string
  status: string
  notificationUrl: string | null
  transactions: readonly TransactionView[]
  callbacks: readonly CallbackView[]
}

export interface ShipmentView {
  reference: string
  awb: string
  /** The create request, with the partner's field names. */
  request: { ContentDescription: string }
  /** More than one is a duplicate. */
  createdAt: readonly string[]
  /** Oldest first. */
  scans: readonly ScanView[]
}

/** A scan on the courier's wire. */
export interface ScanView {
  ScanType: string
  ScanDateTime: string
  City?: string
}

export type JourneyStep = 'picked-up' | 'in-transit' | 'at-branch' | 'collected' | 'exception'
export type PushFate = 'send' | 'lose' | 'twice' | 'late' | 'shuffle' | 'forge'

export interface AdvanceWish {
  to?: JourneyStep
  push?: PushFate
  delayMs?: number
  scan?: { code: string; text?: string; city?: string; time?: string; zone?: string | null }
}

export interface Counters {
  sends: number
  checks: number
  intentions: number
  payments: number
  refunds: number
  voids: number
  callbacks: number
  shipments: number
  labels: number
  lookups: number
  /** Messages about bags that were accepted. */
  messages: number
}

/** An SMS about a bag. */
export interface SmsView {
  id: string
  phone: string
  text: string
  status: string
  errorCode: number | null
  sentAt: string
  callbacks: readonly CallbackView[]
}

export type SimulatedService = 'otp' | 'payment' | 'shipping' | 'tracking' | 'messaging'

export interface Fault {
  kind: 'delay' | 'hold' | 'status' | 'reset' | 'hang' | 'garbage' | 'lose-answer' | 'unusual'
  probability?: number
  count?: number
  delayMs?: number
  /** In the place of `delayMs`: drawn for each request. */
  delay?: { min: number; max: number }
  status?: number
  /** Only these requests; without it the fault is the general one of its service. */
  match?: { operation?: string; order?: number | string; phone?: string; nth?: number }
  /** The same seed gives the same draws. */
  seed?: number
}

interface JournalMessage {
  headers: Readonly<Record<string, string>>
  body: { text: string; bytes: number; isCut: boolean } | null
}

/** A request that the simulator got (`in`) or sent (`out`). */
export interface JournalEntry {
  id: number
  at: string
  direction: 'in' | 'out'
  service: SimulatedService
  operation: string
  order: number | null
  orders: readonly number[]
  phone: string | null
  refs: readonly string[]
  payment: { status: string; asked: number; charged: number | null; differs: boolean } | null
  request: JournalMessage & { method: string; url: string }
  response: (JournalMessage & { status: number }) | null
  error: string | null
  durationMs: number
  fault: { id: number; kind: string } | null
  callback: {
    id: number
    mode: string | null
    state: CallbackView['state']
    key: 'valid' | 'wrong-key'
    differences: readonly { field: string; sent: unknown; expected: unknown }[]
    why: string | null
  } | null
}

export interface JournalFilter {
  order?: number | string
  phone?: string
  /** A reference, an airway bill, an id of a payment, a message or a transaction. */
  ref?: string
  service?: SimulatedService
  /** An ISO time, or the id of an entry. */
  since?: string | number
  limit?: number
}

export interface Control {
  /** Newest first. */
  inbox(phone: string): Promise<readonly InboxMessage[]>
  /** Messages about bags, newest first; of one phone (E.164), or the newest of all. */
  messages(phone?: string, limit?: number): Promise<readonly SmsView[]>
  /** The newest code sent to a phone in E.164; waits until there is one. */
  codeFor(phone: string): Promise<string>
  /** Newest first; the simulator shows 200 by default. */
  payments(limit?: number): Promise<readonly PaymentView[]>
  /** All payments of an order number, a merchant reference or an intention id, newest first. */
  paymentsOf(ref: string | number): Promise<readonly PaymentView[]>
  /** Makes the provider end a payment with an outcome; resolves after the first attempt to deliver its callbacks. */
  replay(
    ref: string | number,
    outcome: Outcome,
    options?: { callback?: CallbackFate; delayMs?: number },
  ): Promise<{ redirectUrl: string; callbacks: readonly CallbackView[] }>
  /** Newest first; the simulator shows 200 by default. */
  shipments(limit?: number): Promise<readonly ShipmentView[]>
  /** Scans a shipment, by its reference or airway bill; resolves after the first attempt to push. */
  advance(
    reference: string,
    wish?: AdvanceWish,
  ): Promise<{ scans: readonly ScanView[]; pushes: readonly CallbackView[] }>
  /** Bags travel by themselves, a day in this many minutes; 0 ends it. */
  setJourney(minutesPerDay: number): Promise<void>
  /** Calls of the courier's tracking since the last reset. */
  trackingCalls(): Promise<{ bulk: number; single: number; statuses: number; numbers: number }>
  /** Resolves with the id of the fault. */
  setFault(service: SimulatedService, fault: Fault): Promise<number>
  /** Resolves once a fault of the kind `hold` holds so many requests; one by default. */
  untilHeld(id: number, count?: number): Promise<void>
  /** Ends one fault; what it holds goes on. */
  endFault(id: number): Promise<void>
  /** The active general faults; a counted fault that is used up is not among them. */
  faults(): Promise<Partial<Record<SimulatedService, Fault>>>
  endFaults(): Promise<void>
  /** The share of the payment provider's answers that have an unusual form from now on, and the lag of its inquiry. */
  setUnusualPayments(unusual: { probability?: number; lagMs?: number }): Promise<void>
  /** Requests that the simulator got and sent, newest first. */
  journal(filter?: JournalFilter): Promise<readonly JournalEntry[]>
  advanceClock(advanceMs: number): Promise<void>
  counters(): Promise<Counters>
  reset(): Promise<void>
  saveSnapshot(name: string): Promise<void>
  restoreSnapshot(name: string): Promise<void>
  /** Phones with this prefix, and their orders, are one tester's. */
  openSandbox(name: string, phonePrefix: string): Promise<void>
  endSandbox(name: string): Promise<void>
}

const limited = (limit: number | undefined) => (limit === undefined ? '' : `?limit=${limit}`)

/** @param headers sent with every call. */
export function openControl(mockUrl: string, headers: Readonly<Record<string, string>> = {}): Control {
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${mockUrl}/control${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} /control${path} answered ${response.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  const inbox: Control['inbox'] = async (phone) => {
    const { messages } = await ask<{ messages: readonly InboxMessage[] }>(
      'GET',
      `/inbox?phone=${encodeURIComponent(phone)}`,
    )
    return messages
  }

  return {
    inbox,
    messages: async (phone, limit = 99_999) => {
      const of = phone === undefined ? '' : `&phone=${encodeURIComponent(phone)}`
      return (await ask<{ messages: SmsView[] }>('GET', `/messages?limit=${limit}${of}`)).messages
    },
    codeFor: (phone) => eventually(async () => (await inbox(phone))[0]?.code),
    payments: async (limit) =>
      (await ask<{ payments: PaymentView[] }>('GET', `/payments${limited(limit)}`)).payments,
    paymentsOf: async (ref) =>
      (await ask<{ payments: PaymentView[] }>('GET', `/payments/${encodeURIComponent(ref)}`)).payments,
    replay: (ref, outcome, options = {}) =>
      ask('POST', `/payments/${encodeURIComponent(ref)}/replay`, { outcome, ...options }),
    shipments: async (limit) =>
      (await ask<{ shipments: ShipmentView[] }>('GET', `/shipments${limited(limit)}`)).shipments,
    advance: (reference, wish = {}) =>
      ask('POST', `/shipments/${encodeURIComponent(reference)}/advance`, wish),
    setJourney: (minutesPerDay) => ask('PUT', '/journey', { minutesPerDay }),
    trackingCalls: async () => (await ask<{ calls: never }>('GET', '/tracking')).calls,
    setFault: async (service, fault) => (await ask<{ id: number }>('PUT', `/faults/${service}`, fault)).id,
    async untilHeld(id, count = 1) {
      await eventually(async () => {
        const { held } = await ask<{ held: readonly { id: number; requests: number }[] }>('GET', '/faults')
        return held.some((hold) => hold.id === id && hold.requests >= count) ? true : undefined
      })
    },
    endFault: (id) => ask('DELETE', `/faults/${id}`),
    faults: async () =>
      (await ask<{ faults: Partial<Record<SimulatedService, Fault>> }>('GET', '/faults')).faults,
    endFaults: () => ask('DELETE', '/faults'),
    setUnusualPayments: (unusual) => ask('PUT', '/unusual/payment', unusual),
    journal: async (filter = {}) => {
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
      )
      return (await ask<{ entries: JournalEntry[] }>('GET', `/journal?${query}`)).entries
    },
    advanceClock: (advanceMs) => ask('POST', '/clock', { advanceMs }),
    counters: () => ask('GET', '/counters'),
    reset: () => ask('POST', '/reset'),
    saveSnapshot: (name) => ask('POST', `/snapshots/${name}`),
    restoreSnapshot: (name) => ask('POST', `/snapshots/${name}/restore`),
    openSandbox: (name, phonePrefix) => ask('PUT', `/sandboxes/${name}`, { phonePrefix }),
    endSandbox: (name) => ask('DELETE', `/sandboxes/${name}`),
  }
}
