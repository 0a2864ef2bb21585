import { expect, it } from 'vitest'
import { actorKinds, eventKinds } from '#server/features/history/history.kinds.ts'
import { messageStates, pushStates } from '#server/features/messages/messages.rules.ts'
import { handoverOutcomes } from '#server/features/orders/orders.rules.ts'
import { roles } from '#server/features/otp/otp.rules.ts'
import { modes } from '#server/platform/modes.ts'
import { claimKinds, claimOutcomes } from '#shared/claims/claims.operations.ts'
import { claimStates } from '#shared/claims/claims.schemas.ts'
import { messageChannels, messageKinds, messageRecipients } from '#shared/messages/messages.schemas.ts'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import { bookingStates, orderEnds, orderPayments } from '#shared/orders/orders.schemas.ts'
import { carriages, handOverCounts } from '#shared/orders/travel.rules.ts'
import { alertKinds } from '#shared/orders/travel.schemas.ts'
import * as payments from '#shared/payments/payments.schemas.ts'
import { sendChannels } from '#shared/platform/code-channels.ts'
import { approvalActs, approvalStates } from '#shared/platform/desk-words.ts'
import { stopKinds } from '#shared/platform/stop-kinds.ts'
import { receiptKinds } from '#shared/receipts/receipts.schemas.ts'
import { confirmationPurposes } from '#shared/sessions/confirmations.schemas.ts'
import { numberChangeStates } from '#shared/sessions/number-changes.ts'
import { codeDeliveries } from '#shared/sessions/sessions.schemas.ts'
import { openMemoryParts } from '#test/kit/database/memory-database.ts'
import { isWordTable } from './migrate.ts'
import { checkedWords } from './migrations/0001-schema.ts'

/** Lists of the code that the database also holds. Words of types only are checked by the compiler. */
const lists: Readonly<Record<string, readonly string[]>> = {
  role_words: roles,
  order_type_words: bookingTypes,
  order_payment_words: orderPayments,
  order_end_words: orderEnds,
  hand_over_words: handOverCounts,
  booking_state_words: bookingStates,
  carriage_words: carriages,
  scan_outcome_words: handoverOutcomes,
  scan_alert_words: alertKinds,
  attempt_state_words: payments.attemptStates,
  payment_event_words: payments.eventKinds,
  payment_event_source_words: payments.eventSources,
  payment_outcome_words: payments.eventOutcomes,
  refund_state_words: payments.refundStates,
  refund_reason_words: payments.refundReasons,
  receipt_words: receiptKinds,
  message_words: messageKinds,
  message_recipient_words: messageRecipients,
  message_channel_words: messageChannels,
  claim_kind_words: claimKinds,
  claim_state_words: claimStates,
  claim_outcome_words: claimOutcomes,
  message_state_words: messageStates,
  push_state_words: pushStates,
  code_channel_words: sendChannels,
  code_delivery_words: codeDeliveries,
  confirmation_purpose_words: confirmationPurposes,
  stop_words: stopKinds,
  approval_act_words: approvalActs,
  approval_state_words: approvalStates,
  mode_words: modes,
  number_change_words: numberChangeStates,
}
/** Words of the limits of sign-in, which are types. */
const typesOnly = ['challenge_state_words', 'code_event_words', 'code_outcome_words', 'device_trust_words']

it('the database and the code have the same words', async () => {
  const { kysely } = await openMemoryParts()
  const names = (await kysely.introspection.getTables()).map(({ name }) => name).filter(isWordTable)
  expect(names.sort()).toEqual([...Object.keys(lists), ...typesOnly].sort())
  for (const [table, list] of Object.entries(lists)) {
    const rows = await kysely.selectFrom(table).select('word').execute()
    expect(rows.map(({ word }) => String(word)).sort(), table).toEqual([...list].sort())
  }
  await kysely.destroy()
})

it('PostgreSQL checks the kinds of events and of actors that the code has', () => {
  expect(checkedWords.kind.split(/\s+/)).toEqual(eventKinds)
  expect(checkedWords.actor_kind.split(' ')).toEqual(actorKinds)
})
