import Type, { type Static } from 'typebox'
import { Time } from '#shared/platform/platform.schemas.ts'

/**
 * An attempt is durable before the provider is asked (docs/wires/payment.md R1). `unknown`: the provider may have
 * created the intention, whose secret was never shown. `superseded`: too old to be shown again; a late success on it
 * still counts (R17).
 */
export const attemptStates = ['creating', 'open', 'unknown', 'superseded', 'failed', 'succeeded'] as const
export type AttemptState = (typeof attemptStates)[number]

export const eventKinds = ['pending', 'succeeded', 'failed', 'refunded', 'voided', 'captured'] as const
export type EventKind = (typeof eventKinds)[number]

export const eventSources = ['callback', 'inquiry'] as const
export type EventSource = (typeof eventSources)[number]

export const eventOutcomes = [
  'applied',
  'noted',
  'second-payment',
  'owner-deleted',
  'order-cancelled',
  'amount-mismatch',
  'reference-mismatch',
  'unknown-order',
  'partial-refund',
] as const
export type EventOutcome = (typeof eventOutcomes)[number]

/** `operator`: at the desk, or with `npm run ops -- refund`. */
export const refundReasons = [
  'wrong-amount',
  'second-payment',
  'owner-deleted',
  'cancelled',
  'operator',
] as const
export type RefundReason = (typeof refundReasons)[number]

/**
 * `due`: not requested, or refused. `uncertain`: requested with unknown outcome, so the transaction is read
 * before requesting again (R19). `asked`: accepted by the provider, only read. `done`: seen at the provider, or
 * written off.
 */
export const refundStates = ['due', 'uncertain', 'asked', 'done'] as const
export type RefundState = (typeof refundStates)[number]

const money = {
  amountHalalas: Type.Integer({ description: '5000 is 50.00 SAR.' }),
  currency: Type.String(),
}

export const PaymentExport = Type.Object({
  reference: Type.String(),
  state: Type.Enum([...attemptStates]),
  ...money,
  startedAt: Time,
  events: Type.Array(
    Type.Object({
      transactionId: Type.String(),
      kind: Type.Enum([...eventKinds]),
      source: Type.Enum([...eventSources], { description: 'How the gateway learned of it.' }),
      outcome: Type.Enum([...eventOutcomes]),
      ...money,
      receivedAt: Time,
    }),
  ),
  refunds: Type.Array(
    Type.Object({
      transactionId: Type.String(),
      state: Type.Enum([...refundStates]),
      reason: Type.Enum([...refundReasons]),
      ...money,
      orderedAt: Time,
      doneAt: Type.Union([Time, Type.Null()]),
      writtenOffAt: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'It could not be made at the provider, and was closed.',
        }),
      ),
    }),
  ),
})
export type PaymentExport = Static<typeof PaymentExport>
