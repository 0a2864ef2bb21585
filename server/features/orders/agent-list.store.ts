import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { hasNeedle, type Needle } from '#server/platform/database/name-index.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { ListOrder } from '#shared/orders/orders.schemas.ts'
import type { HandOverCount } from '#shared/orders/travel.rules.ts'

type OrderRow = Row<'orders'>

/** A page of an agent's orders. */
export interface AgentPageRequest {
  /** The index holds the orders of each together, by number. */
  readonly parts: readonly HandOverCount[]
  readonly order: ListOrder
  /** Only orders that come after this one in the requested order. */
  readonly after?: number | undefined
  readonly limit: number
  /** Only orders whose text has this. */
  readonly needle?: Needle | undefined
}

const onwards = {
  newest: { direction: 'desc', beyond: '<' },
  oldest: { direction: 'asc', beyond: '>' },
} as const

/** The orders of an agent: all, or those that have what is searched for. */
export function createAgentListStore(database: Database) {
  /** Undefined without a part. */
  function pageOf(agentCode: string, { parts, order, after, limit, needle }: AgentPageRequest) {
    const { direction, beyond } = onwards[order]
    const ofPart = (handedOver: HandOverCount) => {
      const read = database.tables
        .selectFrom('orders')
        .selectAll()
        .where('agent_code', '=', agentCode)
        .where('handed_over', '=', handedOver)
        .where('paid_at', 'is not', null)
        .$if(after !== undefined, (query) => query.where('id', beyond, after ?? 0))
        .$if(needle !== undefined, (query) =>
          query.where(hasNeedle(sql.ref<string>('search_text'), needle ?? [])),
        )
        // PostgreSQL would read and sort all orders of the agent where one part has few.
        .orderBy('id', direction)
        .limit(limit)
      return database.tables.selectFrom(read.as('part')).selectAll()
    }
    const [first, ...rest] = parts.map(ofPart)
    // The index holds each part in the order of the numbers, and the parts are merged while they are read.
    // `handed_over in (...)` would read and sort all orders of the agent for one page.
    return (
      first &&
      rest
        .reduce((query, part) => query.unionAll(part), first)
        .orderBy('id', direction)
        .limit(limit)
    )
  }

  return {
    async listOfAgent(agentCode: string, request: AgentPageRequest): Promise<OrderRow[]> {
      return (await pageOf(agentCode, request)?.execute()) ?? []
    },

    /** How many paid orders of an agent are in each part. */
    async countOfAgent(agentCode: string): Promise<{ handedOver: HandOverCount; count: number }[]> {
      const rows = await database.tables
        .selectFrom('orders')
        .select((order) => ['handed_over', order.fn.countAll().as('count')])
        .where('agent_code', '=', agentCode)
        .where('paid_at', 'is not', null)
        .groupBy('handed_over')
        .execute()
      return rows.map(({ handed_over, count }) => ({ handedOver: handed_over, count: Number(count) }))
    },
  }
}
