import type { QueryCore } from '#server/platform/core.ts'
import type { EventKind, EventSource } from '#shared/orders/travel.schemas.ts'
import { type Fact, listEvents, listEventsOfBags, type NewEvent, type StoredEvent } from './history.ts'

export type NewBagEvent = Extract<Fact, { kind: 'received' | 'undone' | 'not-accepted' | 'scan' }> &
  Pick<NewEvent, 'by'> & {
    readonly at: number
    readonly key: string
  }

export interface BagEvent {
  readonly id: number
  readonly bookingId: number
  readonly key: string | null
  readonly kind: EventKind
  readonly source: EventSource
  /** The agent's device or the courier reported this time. */
  readonly at: number
  readonly recordedAt: number
  readonly place: string | null
  readonly code: string | null
  readonly text: string | null
}

type Step = Pick<BagEvent, 'kind' | 'source' | 'place' | 'code' | 'text'>

const agentOf = ({ by }: StoredEvent) => (by.kind === 'agent' && by.name !== '' ? by.name : null)

function stepOf(event: StoredEvent): Step | undefined {
  const without = { place: null, code: null, text: null }
  switch (event.kind) {
    case 'received':
      return { ...without, kind: 'handed-over', source: 'agent', place: agentOf(event) }
    case 'undone':
      return { ...without, kind: 'hand-over-undone', source: 'agent' }
    case 'not-accepted': {
      const { reason, personal } = event.data
      return {
        kind: 'not-accepted',
        source: 'agent',
        place: agentOf(event),
        code: reason,
        text: personal?.text ?? null,
      }
    }
    case 'scan': {
      const { scan, code, personal } = event.data
      return {
        kind: scan,
        source: 'courier',
        place: personal?.place ?? null,
        code: code ?? personal?.code ?? null,
        text: personal?.text ?? null,
      }
    }
    case 'bag-void':
      return { ...without, kind: 'cancelled', source: 'system' }
    default:
      return undefined
  }
}

/** A `bag-void` event is left out when a later `bag-valid` event cancels it. */
export function journeysOf(events: readonly StoredEvent[]): ReadonlyMap<number, BagEvent[]> {
  const validAt = new Map<number | undefined, number>()
  for (const { kind, bookingId, id } of events) if (kind === 'bag-valid') validAt.set(bookingId, id)
  const steps = events.flatMap((event) => {
    const { id, bookingId, key, at, recordedAt } = event
    const step = stepOf(event)
    if (!step || bookingId === undefined) return []
    if (event.kind === 'bag-void' && id < (validAt.get(bookingId) ?? 0)) return []
    return [{ id, bookingId, key, at, recordedAt, ...step }]
  })
  return Map.groupBy(steps, ({ bookingId }) => bookingId)
}

export const listBagEventsOf = async (
  core: QueryCore,
  orderId: number,
): Promise<ReadonlyMap<number, BagEvent[]>> => journeysOf(await listEventsOfBags(core, orderId))

export const listBagEvents = async (
  core: QueryCore,
  bookingIds: readonly number[],
): Promise<ReadonlyMap<number, BagEvent[]>> => journeysOf(await listEvents(core, 'booking_id', bookingIds))
