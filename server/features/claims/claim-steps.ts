import type { Core } from '#server/core.ts'
import type { Changed, ClaimEventKind } from '#server/features/history/history.kinds.ts'
import { type Actor, changedByOffice, type NewEvent, recordEvent } from '#server/features/history/history.ts'
import { type ClaimRow, insertCompensation } from './claims.queries.ts'
import { stepOf } from './claims.rules.ts'

export type ClaimStep = Extract<NewEvent, { readonly kind: ClaimEventKind }>

interface StepOptions {
  readonly before?: ClaimRow
  readonly approvedBy?: Actor
}

/** Needs the transaction that has changed the claim. A closing with a compensation also records the compensation. */
export async function recordStep(
  core: Core,
  claim: ClaimRow,
  step: ClaimStep,
  { before, approvedBy = step.by }: StepOptions = {},
): Promise<void> {
  const subject = {
    claimId: claim.id,
    orderId: claim.order_id,
    bookingId: claim.booking_id,
    userId: claim.user_id,
  }
  const data = {
    ...step.data,
    ...changedByOffice(step.by, changedFields(before, claim)),
  }
  const eventId = await recordEvent(core, { ...step, ...subject, data } as NewEvent)
  if (eventId === undefined) throw new Error('the event of a claim was recorded before')
  if (step.kind === 'claim-closed' && step.data.halalas !== null) {
    const { halalas, personal } = step.data
    const reference = personal?.reference ?? null
    await insertCompensation(core, { event_id: eventId, claim_id: claim.id, halalas, reference })
    await recordEvent(core, {
      ...subject,
      kind: 'compensated',
      by: approvedBy,
      data: {
        halalas,
        personal: { reference },
      },
    })
  }
  core.afterCommit(() => core.counters.claimSteps.inc({ step: stepOf(step.kind) }))
}

function changedFields(before: ClaimRow | undefined, after: ClaimRow): Changed {
  const changed: Changed = {}
  for (const field of ['state', 'outcome'] as const) {
    const was = before?.[field] ?? null
    if (after[field] !== was) changed[field] = [was, after[field]]
  }
  return changed
}
