import Type, { type Static, type TProperties } from 'typebox'
import { claimKinds, claimOutcomes } from '#shared/claims/claims.operations.ts'
import { type ClaimEvent, claimEvents } from '#shared/claims/claims.schemas.ts'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import { refusalReasons } from '#shared/orders/handovers.operations.ts'
import { eventKinds as scanKinds } from '#shared/orders/orders.operations.ts'
import { alertKinds } from '#shared/orders/travel.schemas.ts'
import * as payments from '#shared/payments/payments.schemas.ts'
import { approvalActs } from '#shared/platform/desk-words.ts'
import { orNull } from '#shared/platform/platform.schemas.ts'
import { receiptKinds } from '#shared/receipts/receipts.schemas.ts'

export const auditedViewKinds = [
  'order-viewed',
  'claim-viewed',
  'photo-viewed',
  'person-viewed',
  'orders-listed',
  'searched',
  'exported',
] as const

/** The number of these page views is limited per staff member. */
export const viewKinds = [...auditedViewKinds, 'disclosed'] as const

const data = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** Texts that can contain names, phone numbers and addresses are replaced by null at erasure. */
const personal = <P extends TProperties>(properties: P) => orNull(data(properties))

const id = Type.Integer({ minimum: 1 })
const halalas = Type.Integer({ minimum: 0 })
const text = Type.String()
const nothing = data({})

const payment = { transaction: text, halalas, currency: text }
const refund = { refundId: id, ...payment }
const words = { personal: personal({ reason: text }) }
/** Each field has its values before and after the change. Phone numbers and names must be masked. */
const Changed = Type.Record(
  text,
  Type.Tuple([
    Type.Union([text, Type.Number(), Type.Null()]),
    Type.Union([text, Type.Number(), Type.Null()]),
  ]),
)
export type Changed = Static<typeof Changed>
const claimText = { personal: personal({ text }), changed: Type.Optional(Changed) }
const byStaff = { changed: Type.Optional(Changed), personal: Type.Optional(personal({ reason: text })) }
/** `about` names the subject of the act when no column of `events` does. */
const act = data({ about: orNull(text), changed: Changed, ...words })
const approval = { approvalId: id, act: Type.Enum([...approvalActs]), about: text, halalas }

/** An unknown code of the courier can contain anything, so it is erased like the courier's texts. */
const scanned = {
  code: orNull(text),
  personal: personal({ place: orNull(text), text: orNull(text), code: Type.Optional(text) }),
}

/** Sums, comparisons and locks must not depend on the data of an event. */
export const eventData = {
  'order-created': data({ type: Type.Enum([...bookingTypes]) }),
  'order-expired': nothing,
  'order-cancelled': data({ ...words, changed: Type.Optional(Changed) }),

  'payment-opened': data({ reference: text, halalas, currency: text }),
  'payment-failed': data({ ...payment, ...words }),
  'payment-noted': data({
    ...payment,
    reported: Type.Enum([...payments.eventKinds]),
    outcome: Type.Enum([...payments.eventOutcomes]),
    source: Type.Enum([...payments.eventSources]),
  }),
  paid: data(payment),
  'refund-ordered': data({
    ...refund,
    reason: Type.Enum([...payments.refundReasons]),
    ...words,
    changed: Type.Optional(Changed),
  }),
  'refund-withdrawn': data(refund),
  'refund-requested': data(refund),
  'refund-doubtful': data(refund),
  'refund-refused': data({ ...refund, ...words }),
  refunded: data(refund),
  'refund-written-off': data({ ...refund, ...words, changed: Type.Optional(Changed) }),
  'receipt-issued': data({
    number: id,
    receipt: Type.Enum([...receiptKinds]),
    corrects: orNull(id),
    halalas,
  }),

  'label-requested': nothing,
  'label-refused': data({ personal: personal({ reason: text }) }),
  'label-escalated': data({ creations: Type.Integer({ minimum: 0 }) }),
  'label-permitted': data(byStaff),
  'label-issued': data({ awb: text }),

  received: nothing,
  undone: nothing,
  'not-accepted': data({ reason: Type.Enum([...refusalReasons]), personal: personal({ text }) }),
  scan: data({ scan: Type.Enum([...scanKinds]), ...scanned }),
  'bag-alert': data({ alert: Type.Enum([...alertKinds]), ...scanned }),
  'arrival-expected': data({ lateFrom: Type.Integer() }),
  'bag-void': data({ forGood: Type.Boolean() }),
  'bag-valid': nothing,

  'receiver-changed': data(byStaff),
  'link-created': nothing,
  'link-ended': nothing,

  'claim-opened': data({ claim: Type.Enum([...claimKinds]), ...claimText }),
  'claim-message': data(claimText),
  'claim-answered': data(claimText),
  'claim-question': data(claimText),
  'claim-passed-on': data({ personal: personal({ case: text, text }), changed: Type.Optional(Changed) }),
  'claim-partner-answered': data(claimText),
  'claim-late': nothing,
  'claim-closed': data({
    outcome: Type.Enum([...claimOutcomes]),
    halalas: orNull(halalas),
    personal: personal({ text, reference: orNull(text) }),
    changed: Type.Optional(Changed),
  }),

  'account-changed': data({
    change: Type.Enum(['name', 'phone', 'phone-waits', 'email-added', 'email-changed', 'email-removed']),
    personal: Type.Optional(personal({ phone: text })),
  }),
  'account-deleted': nothing,

  compensated: data({ halalas, personal: personal({ reference: orNull(text) }) }),
  note: data({ personal: personal({ text }) }),
  inquired: act,
  'refund-retried': act,
  'message-asked': act,
  'bag-checked': act,
  'photo-added': act,
  'work-taken': act,
  'work-handed': act,
  'work-released': act,
  'work-settled': act,
  'approval-requested': data({ ...approval, ...words }),
  'approval-confirmed': data(approval),
  'approval-decided': data({
    ...approval,
    outcome: Type.Enum(['approved', 'refused', 'overtaken']),
    ...words,
  }),
  'approval-expired': data(approval),

  'order-viewed': act,
  'claim-viewed': act,
  'photo-viewed': act,
  'person-viewed': act,
  'orders-listed': act,
  searched: act,
  disclosed: act,
  exported: act,
  'view-refused': data({ view: Type.Enum([...viewKinds]), about: orNull(text), ...words }),

  'signed-in': act,
  'signed-in-again': act,
  'sign-in-refused': act,
  'signed-out': act,
  'phone-unlocked': act,
  'device-admitted': act,
  'sessions-ended': act,
  'all-sessions-ended': act,
  'stops-changed': act,
  'list-accepted': act,
  'worker-paused': act,
  'worker-resumed': act,
  'mode-set': act,
  'data-deleted': act,
} as const

export type EventKind = keyof typeof eventData
export type EventData = { readonly [K in EventKind]: Static<(typeof eventData)[K]> }

export type ActKind = {
  [K in EventKind]: (typeof eventData)[K] extends typeof act ? K : never
}[EventKind]

export const eventKinds = Object.keys(eventData) as EventKind[]

export type ClaimEventKind = `claim-${ClaimEvent}`
export const claimEventKinds: readonly ClaimEventKind[] = claimEvents.map((word) => `claim-${word}` as const)

export const actorKinds = [
  'owner',
  'agent',
  'staff',
  'operator',
  'courier',
  'provider',
  'receiver',
  'system',
] as const
export type ActorKind = (typeof actorKinds)[number]
