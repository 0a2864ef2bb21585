import type { Static } from 'typebox'
import type { Counters, ShipmentView } from '#mock/control/control.routes.ts'
import type { AdvanceBody, FaultBody, faultyServices, ReplayBody } from '#mock/control/control.schemas.ts'
import type {
  callbackView,
  mailView,
  messageView,
  paymentView,
  smsView,
} from '#mock/control/control.views.ts'
import { eventually } from '../basics/eventually.ts'

/** The control API of the simulator (mock-partner/README.md). Times are ISO 8601, money is halalas. */

export type { Counters, ShipmentView }
export type InboxMessage = ReturnType<typeof messageView>
export type SmsView = ReturnType<typeof smsView>
export type MailView = ReturnType<typeof mailView>
export type CallbackView = ReturnType<typeof callbackView>
export type PaymentView = ReturnType<typeof paymentView>
export type ScanView = ShipmentView['scans'][number]

type ReplayWish = Static<typeof ReplayBody>
export type Outcome = ReplayWish['outcome']
export type CallbackFate = NonNullable<ReplayWish['callback']>
export type AdvanceWish = Static<typeof AdvanceBody>
export type Fault = Static<typeof FaultBody>
export type SimulatedService = (typeof faultyServices)[number]

export interface Control {
  /** Newest first. */
  inbox(phone: string): Promise<readonly InboxMessage[]>
  /** Messages about bags, newest first; of one phone (E.164), or the newest of all. */
  messages(phone?: string, limit?: number): Promise<readonly SmsView[]>
  /** Letters in the mailbox of an address, newest first. */
  mails(to: string): Promise<readonly MailView[]>
  /** The newest code sent to a phone in E.164 or to an address; waits until there is one. */
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
  advanceClock(advanceMs: number): Promise<void>
  counters(): Promise<Counters>
  reset(): Promise<void>
}

const limited = (limit: number | undefined) => (limit === undefined ? '' : `?limit=${limit}`)

export function openControl(mockUrl: string): Control {
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${mockUrl}/control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
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
    mails: async (to) =>
      (await ask<{ mails: MailView[] }>('GET', `/mails?to=${encodeURIComponent(to)}`)).mails,
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
    advanceClock: (advanceMs) => ask('POST', '/clock', { advanceMs }),
    counters: () => ask('GET', '/counters'),
    reset: () => ask('POST', '/reset'),
  }
}
