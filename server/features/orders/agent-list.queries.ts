import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { hasNeedle, type Needle } from '#server/platform/database/name-index.ts'
import type { ListOrder } from '#shared/orders/orders.schemas.ts'
import type { HandOverCount } from '#shared/orders/travel.rules.ts'
import type { OrderRow } from './orders.queries.ts'

export interface AgentPageRequest {
  readonly parts: readonly HandOverCount[]
  readonly order: ListOrder
  readonly after?: number | undefined
  readonly limit: number
  readonly needle?: Needle | undefined
}

export async function listOrdersOfAgent(
  { database }: QueryCore,
  agentCode: string,
  { parts, order, after, limit, needle }: AgentPageRequest,
): Promise<OrderRow[]> {
  const [direction, beyond] = order === 'newest' ? (['desc', '<'] as const) : (['asc', '>'] as const)
  const [first, ...rest] = parts.map((part) => {
    const read = database.tables
      .selectFrom('orders')
      .selectAll()
      .where('agent_code', '=', agentCode)
      .where('handed_over', '=', part)
      .where('paid_at', 'is not', null)
      .$if(after !== undefined, (query) => query.where('id', beyond, after ?? 0))
      .$if(needle !== undefined, (query) =>
        query.where(hasNeedle(database.engine, sql.ref('search_text'), needle ?? [])),
      )
      .orderBy('id', direction)
      .limit(limit)
    return database.tables.selectFrom(read.as('part')).selectAll()
  })
  if (!first) return []
  // `handed_over in (...)` would read and sort all orders of the agent for one page, so each subquery is limited.
  return rest
    .reduce((query, part) => query.unionAll(part), first)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
}

export async function countOrdersOfAgent({ database }: QueryCore, agentCode: string) {
  const rows = await database.tables
    .selectFrom('orders')
    .select((order) => ['handed_over', order.fn.countAll().as('count')])
    .where('agent_code', '=', agentCode)
    .where('paid_at', 'is not', null)
    .groupBy('handed_over')
    .execute()
  return new Map(rows.map(({ handed_over, count }) => [handed_over, Number(count)]))
}
