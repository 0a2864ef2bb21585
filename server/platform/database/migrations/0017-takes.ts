import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { toldToDesk as toldBefore, triggerOfDesk } from './0013-work.ts'

/** Changes that leave the rows of every work list as they are: who has them, and what is recorded about an order. */
const leavesLists: readonly string[] = ['desk_work', 'operator_actions']

/** What the desk is told of, as in 0013; what changes no list on a channel of its own. */
export const toldToDesk = toldBefore.map((each) => ({
  ...each,
  ...triggerOfDesk(each),
  channel: leavesLists.includes(each.table) ? ('amtiati_desk_order' as const) : each.channel,
}))

/** A gateway reads its lists again only when one has changed. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  for (const { table, name, channel, value } of toldToDesk) {
    if (!leavesLists.includes(table)) continue
    await sql
      .raw(
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_notify('${channel}', CAST(${value} AS text));
          RETURN NULL;
        END $$`,
      )
      .execute(kysely)
  }
}
