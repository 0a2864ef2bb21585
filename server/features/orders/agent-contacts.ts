import type { Core } from '#server/core.ts'
import { listBagEvents } from '#server/features/history/bag-events.ts'
import { tooManyCalls } from '#server/platform/limits.ts'
import { agentContactsPerHour } from '#shared/orders/agent-contacts.rules.ts'
import { contactsOf, isReceivedLately } from './agent-contacts.rules.ts'
import type { BookingRow } from './bookings.queries.ts'
import type { OrderRow } from './orders.queries.ts'

export interface AgentReader {
  readonly agentCode: string
  /** Beyond the hourly limit, `refused` throws and `hidden` leaves out names and phones. */
  readonly beyondLimit: 'refused' | 'hidden'
}

type Bags = ReadonlyMap<number, readonly BookingRow[]>

const perHour = { count: agentContactsPerHour, windowMs: 60 * 60_000 }

export async function findWithContacts(
  core: Core,
  rows: readonly OrderRow[],
  bags: Bags,
): Promise<ReadonlySet<number>> {
  const now = core.clock.now()
  const decided = rows.map((row) => ({ id: row.id, ...contactsOf(row, bags.get(row.id) ?? [], now) }))
  const uncertain = decided.flatMap((each) => each.uncertain)
  const events = await listBagEvents(core, uncertain)
  const wasLately = (bag: number) => isReceivedLately(events.get(bag) ?? [], now)
  return new Set(decided.filter((each) => each.isShown || each.uncertain.some(wasLately)).map(({ id }) => id))
}

/**
 * Finds orders like `findWithContacts`, and counts them for the agent's hourly limit. Every read by an agent must call
 * this function.
 * @throws Failure TOO_MANY_CALLS
 */
export async function discloseContacts(
  core: Core,
  { agentCode, beyondLimit }: AgentReader,
  rows: readonly OrderRow[],
  bags: Bags,
): Promise<ReadonlySet<number>> {
  const shown = await findWithContacts(core, rows, bags)
  const { waitMs } = await core.readings.take(`agent ${agentCode}`, [...shown].map(String), perHour)
  if (waitMs === undefined) return shown
  if (beyondLimit === 'refused') throw tooManyCalls(waitMs)
  return new Set()
}
