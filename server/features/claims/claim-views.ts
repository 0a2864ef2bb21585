import type { Core } from '#server/core.ts'
import type { ClaimEventKind } from '#server/features/history/history.kinds.ts'
import { listClaimEvents, type StoredClaimEvent } from '#server/features/history/history.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { listBookingIds } from '#server/features/orders/bookings.queries.ts'
import { failure } from '#server/platform/errors.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import { claimNumber, reopenDays } from '#shared/claims/claims.operations.ts'
import type { Claim } from '#shared/claims/claims.schemas.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { type ClaimRow, listPhotos } from './claims.queries.ts'
import { compensationOf, dayOfDeadline, textOf } from './claims.rules.ts'

const dayMs = 24 * 60 * 60_000

const shownToOwner: readonly ClaimEventKind[] = [
  'claim-opened',
  'claim-message',
  'claim-answered',
  'claim-question',
  'claim-closed',
]

export async function readClaimView(core: Core, row: ClaimRow): Promise<Claim> {
  const order = await readOrderFor(core, { role: 'user', userId: row.user_id }, row.order_id)
  const [claim] = await readClaimViews(core, [row], await readAwbs(core, order))
  if (!claim) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
  return claim
}

export async function readClaimViews(
  core: Core,
  rows: readonly ClaimRow[],
  awbs: ReadonlyMap<number, string | null>,
): Promise<Claim[]> {
  const ids = rows.map(({ id }) => id)
  const [events, photos] = await Promise.all([listClaimEvents(core, ids), listPhotos(core, ids)])
  const byClaim = Map.groupBy(events, ({ claimId }) => claimId)
  return rows.map((row) =>
    viewOf(row, byClaim.get(row.id) ?? [], {
      photos: photos.get(row.id) ?? [],
      awb: awbs.get(row.booking_id) ?? null,
    }),
  )
}

export async function readAwbs(
  core: Core,
  { orderId, bookings }: Order,
): Promise<ReadonlyMap<number, string | null>> {
  const ids = await listBookingIds(core, orderId)
  return new Map(ids.map((id, index) => [id, bookings[index]?.awb ?? null]))
}

function viewOf(
  row: ClaimRow,
  events: readonly StoredClaimEvent[],
  { photos, awb }: { readonly photos: number[]; readonly awb: string | null },
): Claim {
  const { outcome, closed_at } = row
  const compensation = compensationOf(row, events)
  return {
    claimId: row.id,
    number: claimNumber(row.id),
    kind: row.kind,
    ...(awb !== null && { awb }),
    state: row.state,
    openedAt: isoOf(row.opened_at),
    answerBy: dayOfDeadline(row.answer_by),
    ...(row.late_since !== null && { isLate: true as const }),
    messages: events
      .filter((event) => shownToOwner.includes(event.kind) && textOf(event) !== '')
      .map((event) => ({
        at: isoOf(event.at),
        from: event.by.kind === 'owner' || event.kind === 'claim-opened' ? ('you' as const) : ('us' as const),
        text: textOf(event),
        ...(event.kind === 'claim-question' && { isQuestion: true as const }),
      })),
    photos,
    ...(outcome !== null && { outcome }),
    ...(compensation !== null && { compensation }),
    ...(closed_at !== null && { reopensUntil: isoOf(closed_at + reopenDays * dayMs) }),
  }
}
