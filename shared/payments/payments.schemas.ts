import Type, { type Static } from 'typebox'
import { Time } from '#shared/platform/platform.schemas.ts'

/**
 * The gateway stores an attempt before it calls the provider (docs/wires/payment.md R1). `unknown`: the provider
 * possibly created the intention, but its secret was never shown. `superseded`: a late success still counts (R17).
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

export const refundReasons = [
  'wrong-amount',
  'second-payment',
  'owner-deleted',
  'cancelled',
  'operator',
] as const
export type RefundReason = (typeof refundReasons)[number]

/**
 * States of a refund. `due`: not requested, or refused. `uncertain`: the outcome of the request is unknown, so the
 * gateway reads the transaction before the next request (R19). `asked`: the provider has accepted the request. `done`:
 * the provider shows the refund, or it was written off.
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
