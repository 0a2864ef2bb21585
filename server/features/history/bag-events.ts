import type { EventKind, EventSource } from '#shared/orders/travel.schemas.ts'
import type { Fact, NewEvent } from './history.ts'

/** What agents and the courier report about a bag. */
export type NewBagEvent = Extract<Fact, { kind: 'received' | 'undone' | 'not-accepted' | 'scan' }> &
  Pick<NewEvent, 'by'> & {
    readonly at: number
    readonly key: string
  }

/** What happened to a bag, as readers of its journey see it. */
export interface BagEvent {
  readonly kind: EventKind
  readonly source: EventSource
  readonly place: string | null
  readonly code: string | null
  readonly text: string | null
}

/** Undefined for an event that is no part of the journey. */
export function journeyOf(event: Fact): BagEvent | undefined {
  if (event.kind === 'scan') {
    const { scan, place, code, personal } = event.data
    return { kind: scan, source: 'courier', place, code, text: personal?.text ?? null }
  }
  if (event.kind === 'not-accepted') {
    const { reason, place, personal } = event.data
    return { kind: 'not-accepted', source: 'agent', place, code: reason, text: personal?.text ?? null }
  }
  const without = { place: null, code: null, text: null }
  if (event.kind === 'received')
    return { ...without, kind: 'handed-over', source: 'agent', place: event.data.place }
  if (event.kind === 'undone') return { ...without, kind: 'hand-over-undone', source: 'agent' }
  if (event.kind === 'bag-void') return { ...without, kind: 'cancelled', source: 'system' }
  return undefined
}
