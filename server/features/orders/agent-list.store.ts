import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { agentIndexes, markOf } from '#server/platform/database/migrations/0018-agent-search.ts'
import { hasNeedle, matchOf, type Needle, newestRows } from '#server/platform/database/name-index.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { ListOrder, OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { HandOverCount } from '#shared/orders/travel.rules.ts'

type OrderRow = Row<'orders'>

/** Orders that the index of the agents' lists holds together, by number. */
export interface AgentListPart {
  readonly status: OrderStatus
  readonly handedOver: HandOverCount
}

/** A page of an agent's orders. */
export interface AgentPageRequest {
  readonly parts: readonly AgentListPart[]
  readonly order: ListOrder
  /** Only orders that come after this one in the requested order. */
  readonly after?: number | undefined
  readonly limit: number
  /** Only orders that have this, and were paid. */
  readonly needle?: Needle | undefined
}

const onwards = {
  newest: { direction: 'desc', beyond: '<' },
  oldest: { direction: 'asc', beyond: '>' },
} as const

/** The orders of an agent: all, or those that have what is searched for. */
export function createAgentListStore(database: Database) {
  /** Undefined without a part. */
  function pageOf(agentCode: string, { parts, order, after, limit }: AgentPageRequest) {
    const { direction, beyond } = onwards[order]
    const ofPart = ({ status, handedOver }: AgentListPart) => {
      const all = database.tables
        .selectFrom('orders')
        .selectAll()
        .where('agent_code', '=', agentCode)
        .where('status', '=', status)
        .where('handed_over', '=', handedOver)
        .where('paid_at', 'is not', null)
        .$if(after !== undefined, (query) => query.where('id', beyond, after ?? 0))
      // PostgreSQL would read and sort all orders of the agent where one part has few. SQLite merges without.
      const read = database.engine === 'sqlite' ? all : all.orderBy('id', direction).limit(limit)
      return database.tables.selectFrom(read.as('part')).selectAll()
    }
    const [first, ...rest] = parts.map(ofPart)
    // The index holds each part in the order of the numbers, and the parts are merged while they are read.
    // `status in (...)` would read and sort all orders of the agent for one page.
    return (
      first &&
      rest
        .reduce((query, part) => query.unionAll(part), first)
        .orderBy('id', direction)
        .limit(limit)
    )
  }

  /** What the text of each order of the agent begins with in the index; undefined before the first of them was paid. */
  async function findMark(agentCode: string): Promise<string | undefined> {
    const row = await database.tables
      .selectFrom('agent_marks')
      .select('id')
      .where('agent_code', '=', agentCode)
      .executeTakeFirst()
    return row && markOf(row.id)
  }

  function found(
    agentCode: string,
    { parts, order, after, limit }: AgentPageRequest,
    next: RawBuilder<unknown>,
    needle: Needle,
  ): RawBuilder<OrderRow> {
    const { direction, beyond } = onwards[order]
    const way = sql.raw(direction)
    const isAfter = (id: string) =>
      after === undefined ? sql`true` : sql`${sql.ref(id)} ${sql.raw(beyond)} ${after}`
    const isInPart = parts.map(
      ({ status, handedOver }) => sql`orders.status = ${status} AND orders.handed_over = ${handedOver}`,
    )
    // An order that was never paid has no text.
    const isAsked = sql`orders.agent_code = ${agentCode} AND (${sql.join(isInPart, sql` OR `)})`
    // The indexes are read and merged in the order of the numbers, until the page is full.
    if (database.engine === 'sqlite') {
      const foundBy = agentIndexes.map((name) => {
        const index = sql.table(name)
        return sql`SELECT ${index}.rowid AS number, orders.* FROM ${index} CROSS JOIN orders ON orders.id = ${index}.rowid
          WHERE ${index} MATCH ${matchOf(needle)} AND ${isAfter(`${name}.rowid`)} AND ${isAsked}`
      })
      return sql`${sql.join(foundBy, sql` UNION ALL `)} ORDER BY number ${way} LIMIT ${limit}`
    }
    const has = hasNeedle(sql.ref('agent_texts.text'), needle)
    return sql`WITH next AS MATERIALIZED (${next}),
      lately AS MATERIALIZED (
        SELECT next.id FROM next JOIN agent_texts ON agent_texts.order_id = next.id WHERE ${has}
        ORDER BY next.id ${way} LIMIT ${limit}),
      further AS MATERIALIZED (
        SELECT order_id AS id FROM agent_texts
        WHERE (SELECT count(*) FROM next) = ${newestRows} AND (SELECT count(*) FROM lately) < ${limit}
          AND ${has} AND ${isAfter('order_id')})
      SELECT orders.* FROM (SELECT id FROM lately UNION SELECT id FROM further) AS named
      JOIN orders ON orders.id = named.id WHERE ${isAsked} ORDER BY orders.id ${way} LIMIT ${limit}`
  }

  return {
    async listOfAgent(agentCode: string, request: AgentPageRequest): Promise<OrderRow[]> {
      const { needle } = request
      const page = pageOf(agentCode, needle ? { ...request, limit: newestRows } : request)
      if (!page) return []
      if (!needle) return page.execute()
      const mark = await findMark(agentCode)
      if (mark === undefined) return []
      const next = sql`${page}`
      const { rows } = await found(agentCode, request, next, [[mark], ...needle]).execute(database.tables)
      return rows
    },

    /** How many paid orders of an agent are in each part. */
    async countOfAgent(agentCode: string): Promise<(AgentListPart & { readonly count: number })[]> {
      const rows = await database.tables
        .selectFrom('orders')
        .select((order) => ['status', 'handed_over', order.fn.countAll().as('count')])
        .where('agent_code', '=', agentCode)
        .where('paid_at', 'is not', null)
        .groupBy(['status', 'handed_over'])
        .execute()
      return rows.map(({ status, handed_over, count }) => ({
        status,
        handedOver: handed_over,
        count: Number(count),
      }))
    },
  }
}
