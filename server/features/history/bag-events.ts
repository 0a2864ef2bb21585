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
  /** The time of the event, as the agent's device or the courier reported it (epoch milliseconds). */
  readonly at: number
  readonly recordedAt: number
  readonly place: string | null
  /** The code of the courier; for `not-accepted` the agent's reason. */
  readonly code: string | null
  /** The text of the courier; for `not-accepted` the text of the agent. */
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

/**
 * Groups events by bag, without a `bag-void` event that a later `bag-valid` event took back.
 * @param events the events of one or more bags, in the order of recording
 */
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

/** The events of the bags of an order. */
export const listBagEventsOf = async (
  core: QueryCore,
  orderId: number,
): Promise<ReadonlyMap<number, BagEvent[]>> => journeysOf(await listEventsOfBags(core, orderId))

export const listBagEvents = async (
  core: QueryCore,
  bookingIds: readonly number[],
): Promise<ReadonlyMap<number, BagEvent[]>> => journeysOf(await listEvents(core, 'booking_id', bookingIds))
