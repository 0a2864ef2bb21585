import type { Core } from '#server/core.ts'
import { tooManyCalls } from '#server/platform/limits.ts'
import { agentContactsPerHour } from '#shared/orders/agent-contacts.rules.ts'
import { contactsOf, isReceivedLately } from './agent-contacts.rules.ts'
import type { BookingRow } from './bookings.store.ts'
import type { OrderRow, OrdersStore } from './orders.store.ts'

export interface AgentContactsDeps extends Pick<Core, 'clock' | 'readings'> {
  readonly store: Pick<OrdersStore, 'findEvents'>
}

/** An agent who reads orders. */
export interface AgentReader {
  /** The partner's id. */
  readonly agentCode: string
  /** Beyond the limit: the reading is refused, or names and phones are left out. */
  readonly beyondLimit: 'refused' | 'hidden'
}

type Bags = ReadonlyMap<number, readonly BookingRow[]>

const perHour = { count: agentContactsPerHour, windowMs: 60 * 60_000 }

/** Decides for every reading of an agent of which orders it carries names and phones, of owner and receiver alike. */
export function createAgentContacts({ store, readings, clock }: AgentContactsDeps) {
  /** The orders by whose names and phones the agent may search. */
  async function findShown(rows: readonly OrderRow[], bags: Bags): Promise<ReadonlySet<number>> {
    const now = clock.now()
    const decided = rows.map((row) => ({ id: row.id, ...contactsOf(row, bags.get(row.id) ?? [], now) }))
    const events = await store.findEvents(decided.flatMap(({ uncertain }) => uncertain))
    const wasLately = (bag: number) => isReceivedLately(events.get(bag) ?? [], now)
    return new Set(
      decided.filter(({ isShown, uncertain }) => isShown || uncertain.some(wasLately)).map(({ id }) => id),
    )
  }

  return {
    findShown,

    /**
     * The orders whose names and phones the agent is shown now, which are counted.
     * @throws Failure TOO_MANY_CALLS
     */
    async show(
      { agentCode, beyondLimit }: AgentReader,
      rows: readonly OrderRow[],
      bags: Bags,
    ): Promise<ReadonlySet<number>> {
      const shown = await findShown(rows, bags)
      const { waitMs } = await readings.take(`agent ${agentCode}`, [...shown].map(String), perHour)
      if (waitMs === undefined) return shown
      if (beyondLimit === 'refused') throw tooManyCalls(waitMs)
      return new Set()
    },
  }
}

export type AgentContacts = ReturnType<typeof createAgentContacts>
