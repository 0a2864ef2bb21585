import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { EventKind } from '#server/features/history/history.kinds.ts'

/*
 * Faults that were found once, put back one at a time: a world that does not find them proves nothing. Loaded before
 * everything else with PLANT=<name>, it changes the source as it is read; no file is written.
 */

interface Plant {
  readonly what: string
  readonly file: string
  readonly found: string
  readonly planted: string
}

/** What an event tells has happened, and the event is not recorded. */
const withoutEvent = (kind: EventKind): Plant => ({
  what: `no event of the kind ${kind} is recorded`,
  file: 'server/features/history/history.ts',
  found: 'if (events.length === 0) return []',
  planted: `if (events.some(({ kind }) => kind === '${kind}')) {
    events = events.filter(({ kind }) => kind !== '${kind}')
    if (events.length === 0) return [1]
  }
  if (events.length === 0) return []`,
})

/** Kinds that the promises compare with the state of what they are about. */
const comparedKinds = [
  'order-created',
  'order-cancelled',
  'order-expired',
  'payment-opened',
  'paid',
  'refund-ordered',
  'refunded',
  'refund-written-off',
  'receipt-issued',
  'label-requested',
  'label-escalated',
  'label-issued',
  'received',
  'undone',
  'not-accepted',
  'scan',
  'bag-void',
  'bag-valid',
  'claim-opened',
  'claim-message',
  'account-changed',
  'account-deleted',
  'approval-requested',
  'note',
] as const satisfies readonly EventKind[]

export const plants: Readonly<Record<string, Plant>> = {
  ...Object.fromEntries(comparedKinds.map((kind) => [kind, withoutEvent(kind)])),
  C1: {
    what: 'a payment form is replaced although the inquiry about the shown one failed',
    file: 'server/features/payments/intentions.ts',
    found: "throw retryable('PAYMENT_UNCHECKED', error)",
    planted: 'return false',
  },
  C3: {
    what: 'a withdrawn booking that has its number goes on waiting for its label',
    file: 'server/features/orders/cancellation.queries.ts',
    found: "state = 'labelling' OR uncertain_until = 0",
    planted: "state = 'waiting' AND uncertain_until = 0",
  },
  C8: {
    what: 'a text is made in the transaction that pays, and one of them throws',
    file: 'server/features/receipts/receipts.ts',
    found: 'addReceipt(core, { ...row,',
    planted: "addReceipt(core, { ...(row.order_id % 2 === 0 ? JSON.parse('no text') : row),",
  },
  C11: {
    what: 'work is due and leased by the clock of each gateway',
    file: 'test/world/gateways.ts',
    found: 'store.openFor(program)',
    planted: 'store.openFor(program, () => reality.now() + computer.aheadMs)',
  },
  C12: {
    what: 'an operator cannot order a refund again that the bank has dropped',
    file: 'server/features/payments/refunds.queries.ts',
    found: ".and({ state: 'asked' })",
    planted: ".and({ state: 'done' })",
  },
  C13: {
    what: 'a code is compared for whatever number is typed',
    file: 'server/features/otp/otp.queries.ts',
    found: `  return challenges(core, { ...match, browser_hash: hashOf(binding) })`,
    planted: `  return challenges(core, { browser_hash: hashOf(binding) })`,
  },
  stop: {
    what: 'an order is created whatever is stopped',
    file: 'server/features/stops/stops.queries.ts',
    found: '<SqlBool>`not exists $',
    planted: '<SqlBool>`1 = 1 or not exists $',
  },
  approval: {
    what: 'who asked for money may approve it',
    file: 'server/desk/actions/decisions.ts',
    found: 'if (isAsker(staff, row)) throw',
    planted: 'if (isAsker(staff, row) && false) throw',
  },
  decision: {
    what: 'no event says what was decided about a request for approval',
    file: 'server/desk/actions/decisions.ts',
    found:
      "await recordEvent(core, { ...event, kind: 'approval-decided', by: origin.by, at: origin.at, data })",
    planted: 'void data',
  },
  B1: {
    what: 'an order is cancelled, and no refund of it is ordered',
    file: 'server/features/payments/cancellations.ts',
    found: 'await returnMoney(core, transactionId, cancelling)',
    planted: 'void returnMoney',
  },
  carriage: {
    what: 'a refund that is ordered stops no bag',
    file: 'server/features/operators/operators.ts',
    found: 'await stopCarriage(core, orderId, at)',
    planted: '',
  },
  undo: {
    what: 'a bag whose money is back is carried again after its hand-over was undone',
    file: 'server/features/orders/travel.ts',
    found: 'if (isGivenBack && (await isMoneyGoingBack(core, order.id)))',
    planted: 'if (isGivenBack && order.id === 0)',
  },
  F4: {
    what: 'hand-overs fall under the limit of scans',
    file: 'server/features/orders/travel.ts',
    found: 'if (scan !== undefined && scanCount >= eventsPerBooking && kinds.has(scan)) continue',
    planted: 'if (kept.length + added >= eventsPerBooking) continue',
  },
  receiver: {
    what: 'another receiver can be named after the courier was asked',
    file: 'server/features/orders/receivers.queries.ts',
    found: ".where('uncertain_until', '=', 0)",
    planted: '',
  },
  warning: {
    what: 'another receiver is not told to the owner',
    file: 'server/features/orders/receivers.ts',
    found: '{ notifiesOwner: isOtherReceiver(before, columns) }',
    planted: '{ notifiesOwner: false }',
  },
  message: {
    what: 'an event is recorded without its messages',
    file: 'server/features/history/outbox.ts',
    found: 'if (messages.length === 0) return',
    planted: 'if (messages.length === 0 || event.id % 3 === 0) return',
  },
  moved: {
    what: 'a message that was written for a number is lost when its account gets another one',
    file: 'server/features/messages/message-sending.ts',
    found: "const text = person ? await textFor(core, message, person) : 'not wanted'",
    planted:
      "const text = person && (!isWritten || message.phone === person.phone) ? await textFor(core, message, person) : 'not wanted'",
  },
  arrival: {
    what: 'a bag that arrives again has no message of it',
    file: 'server/features/history/outbox.ts',
    found: 'countOf(kind) < outboxRules.mostOfBag',
    planted: 'countOf(kind) < 1',
  },
  fold: {
    what: 'where a bag is is written past its events',
    file: 'server/features/orders/travel.queries.ts',
    found: '.set({ carriage, last_event_at: last })',
    planted: ".set({ carriage: carriage === 'moving' ? 'at-branch' : carriage, last_event_at: last })",
  },
  words: {
    what: 'what an owner writes to a claim stands where no erasure finds it',
    file: 'server/features/claims/claim-steps.ts',
    found: 'recordEvent(core, { ...step, ...subject, data } as NewEvent)',
    planted: `recordEvent(core, { kind: 'message-asked', by: step.by, ...subject,
      data: { about: JSON.stringify(step.data), changed: {}, personal: null } }).then(() =>
      recordEvent(core, { ...step, ...subject, data } as NewEvent))`,
  },
  recovery: {
    what: 'a code of a recovery that was refused counts as right',
    file: 'server/features/otp/check-codes.ts',
    found: "if (answer !== 'approved') throw",
    planted: "if (answer !== 'approved' && attempt.origin.role !== 'recovery') throw",
  },
  stream: {
    what: 'no notice is given of what happens to a bag',
    file: 'server/platform/database/change-notices.ts',
    found: `  ...inOrders('bookings', '$row.order_id', \`UPDATE OF ${'$'}{bagColumns}\`),
  ...inOrders('events', '$row.order_id', 'INSERT').map((each) => ({
    ...each,
    only: journeyKinds.map((kind) => \`NEW.kind = '${'$'}{kind}'\`).join(' OR '),
  })),`,
    planted: '',
  },
  scan: {
    what: 'a scan of an earlier bag counts',
    file: 'server/features/tracking/tracking.rules.ts',
    found: 'from: requestedAt - clockDifferenceMs',
    planted: 'from: requestedAt * 0',
  },
  V1: {
    what: 'an account with a paid, unused order is deleted without a word',
    file: 'server/features/account/account.ts',
    found: 'await giveUpUnused(core, userId, forfeits)',
    planted: 'void giveUpUnused',
  },
  W1: {
    what: 'an answered failure of the courier counts as nothing done',
    file: 'server/features/shipments/airway-bills.ts',
    found: 'if (madeNothing(error)) {',
    planted: 'if (madeNothing(error) || hasEnded(error)) {',
  },
}

const name = process.env.PLANT
const plant = name === undefined ? undefined : plants[name]
if (name !== undefined && plant === undefined) throw new Error(`there is no plant ${name}`)
if (plant) {
  let isPlanted = false
  const path = fileURLToPath(new URL(`../../${plant.file}`, import.meta.url))
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.startsWith('file:') || fileURLToPath(url) !== path) return loaded
      const source = String(loaded.source)
      if (!source.includes(plant.found)) throw new Error(`${name} is not found in ${plant.file}`)
      isPlanted = true
      return { ...loaded, source: source.replace(plant.found, plant.planted) }
    },
  })
  process.once('exit', () => {
    if (!isPlanted) process.exitCode = 2
  })
}
