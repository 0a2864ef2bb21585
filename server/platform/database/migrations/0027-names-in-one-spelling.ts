import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { postgresSearchText, searchText } from '../search-text.ts'
import { type SearchedTable, searchedNames } from './0011-desk-search.ts'
import { agentIndexes } from './0018-agent-search.ts'

/** As in 0018: the letter that stands three times before what an agent searches. */
const mark: Readonly<Record<Engine, string>> = {
  sqlite: [1, 2, 3].map(() => 'char(19968 + a.id % 20000)').join(' || '),
  postgres: 'repeat(chr(19968 + a.id % 20000), 3)',
}

/** The city of the branch; null where there is none. */
function cityOf(engine: Engine): string {
  const place = "CASE WHEN o.type = 'FROM_MINA' THEN b.destination ELSE b.origin END"
  return engine === 'sqlite'
    ? `CASE WHEN json_valid(${place}) THEN json_extract(${place}, '$.city') END`
    : `substring(${place} from '"city":"([^"]*)"')`
}

/** The text of each paid order (`condition`): the mark of its agent, then each fact in one spelling. */
function texts(engine: Engine, condition: string): string {
  const bag = [
    "coalesce(b.awb, '')",
    "CASE WHEN b.receiver <> u.name THEN b.receiver ELSE '' END",
    `CASE WHEN b.leg = 0 THEN coalesce(${cityOf(engine)}, '') ELSE '' END`,
  ]
  const bags = bag.map((text) => `${searchText}(${text})`).join(' || ')
  const together = engine === 'sqlite' ? `group_concat(${bags}, '')` : `string_agg(${bags}, '')`
  const owner = ["'OD-' || o.id", 'u.name', 'u.phone'].map((text) => `${searchText}(${text})`).join(' || ')
  const legs = "CASE WHEN o.type = 'TO_AND_FROM_MINA' THEN 2 ELSE 1 END"
  const numbered = 'SELECT count(*) FROM bookings b WHERE b.order_id = o.id AND b.awb IS NOT NULL'
  return `SELECT o.id, CASE WHEN (${numbered}) < ${legs} THEN 1 ELSE 0 END,
      ${mark[engine]} || ${owner}
        || coalesce((SELECT ${together} FROM bookings b WHERE b.order_id = o.id), '')
    FROM orders o JOIN users u ON u.id = o.user_id JOIN agent_marks a ON a.agent_code = o.agent_code
    WHERE o.paid_at IS NOT NULL AND ${condition}`
}

/** Writes the texts of some orders, where they have changed. */
const writing = (engine: Engine, condition: string) => [
  `INSERT INTO agent_marks (agent_code) SELECT DISTINCT o.agent_code FROM orders o
    WHERE o.paid_at IS NOT NULL AND ${condition}
      AND NOT EXISTS (SELECT 1 FROM agent_marks a WHERE a.agent_code = o.agent_code) ON CONFLICT DO NOTHING`,
  `INSERT INTO agent_texts (order_id, is_awaited, text) ${texts(engine, condition)}
    ON CONFLICT (order_id) DO UPDATE SET is_awaited = excluded.is_awaited, text = excluded.text
    WHERE agent_texts.text <> excluded.text`,
]

/** The payment, the bookings and the owner of an order change its text. */
const sources = [
  {
    name: 'paid',
    table: 'orders',
    event: 'UPDATE OF paid_at',
    when: 'OLD.paid_at IS NULL',
    condition: 'o.id = NEW.id',
  },
  {
    name: 'booked',
    table: 'bookings',
    event: 'INSERT',
    when: "NEW.state <> 'none'",
    condition: 'o.id = NEW.order_id',
  },
  {
    name: 'printed',
    table: 'bookings',
    event: 'UPDATE OF awb, receiver',
    when: "coalesce(NEW.awb, '') <> coalesce(OLD.awb, '') OR coalesce(NEW.receiver, '') <> coalesce(OLD.receiver, '')",
    condition: 'o.id = NEW.order_id',
  },
  {
    name: 'renamed',
    table: 'users',
    event: 'UPDATE OF name, phone',
    when: 'NEW.name <> OLD.name OR NEW.phone <> OLD.phone',
    condition: 'o.user_id = NEW.id',
  },
] as const

const searchedTables = Object.keys(searchedNames) as SearchedTable[]

/** SQLite: an index by three-letter parts of a folded text. A deleted text leaves no trace in it. */
const createIndex = (index: string, column: string) => [
  `CREATE VIRTUAL TABLE ${index} USING fts5(${column}, content='', tokenize='trigram case_sensitive 1')`,
  `INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1)`,
]

function sqliteNamesOf(table: SearchedTable): string[] {
  const { column, index } = searchedNames[table]
  const folded = (row: string) => `${searchText}(${row}.${column})`
  const remove = `INSERT INTO ${index} (${index}, rowid, name) SELECT 'delete', OLD.id, ${folded('OLD')} WHERE OLD.${column} <> '';`
  const add = `INSERT INTO ${index} (rowid, name) SELECT NEW.id, ${folded('NEW')} WHERE NEW.${column} <> '';`
  const trigger = (name: string, event: string, when: string, ...changes: readonly string[]) => [
    `DROP TRIGGER ${table}_search_${name}`,
    `CREATE TRIGGER ${table}_search_${name} AFTER ${event} ON ${table} WHEN ${when} BEGIN ${changes.join(' ')} END`,
  ]
  return [
    `DROP TABLE ${index}`,
    ...createIndex(index, 'name'),
    `INSERT INTO ${index} (rowid, name) SELECT id, ${folded(table)} FROM ${table} WHERE ${column} <> ''`,
    ...trigger('added', 'INSERT', `NEW.${column} <> ''`, add),
    ...trigger('removed', 'DELETE', `OLD.${column} <> ''`, remove),
    ...trigger('changed', `UPDATE OF ${column}`, `NEW.${column} IS NOT OLD.${column}`, remove, add),
  ]
}

/** SQLite: the triggers that keep these two indexes stay, and fill them with the texts. */
function sqliteStatements(): string[] {
  return [
    ...searchedTables.flatMap(sqliteNamesOf),
    ...agentIndexes.flatMap((index) => [`DROP TABLE ${index}`, ...createIndex(index, 'text')]),
    // Nothing is in the new indexes yet that a trigger could take out.
    ...agentIndexes.map((index) => `DROP TRIGGER ${index}_removed`),
    'DELETE FROM agent_texts',
    ...agentIndexes.map(
      (index) => `CREATE TRIGGER ${index}_removed AFTER DELETE ON agent_texts BEGIN
        INSERT INTO ${index} (${index}, rowid, text)
          SELECT 'delete', OLD.order_id, OLD.text WHERE OLD.is_awaited = ${index === 'search_awaited' ? 1 : 0}; END`,
    ),
    ...writing('sqlite', 'true'),
    ...sources.flatMap(({ name, table, event, when, condition }) => [
      `DROP TRIGGER ${table}_search_${name}`,
      `CREATE TRIGGER ${table}_search_${name} AFTER ${event} ON ${table} WHEN ${when}
        BEGIN ${writing('sqlite', condition).join('; ')}; END`,
    ]),
  ]
}

/** As in 0018: a statement behind a lock sees the changes of the transaction that held it before. */
const lockOwner = 'PERFORM 1 FROM users WHERE id = NEW.user_id FOR SHARE'
const lockTexts = (condition: string) =>
  `PERFORM 1 FROM agent_texts WHERE order_id IN (SELECT o.id FROM orders o WHERE ${condition}) ORDER BY order_id FOR UPDATE`

/** PostgreSQL: the triggers stay, and call the new functions. */
function postgresStatements(): string[] {
  return [
    postgresSearchText(),
    ...searchedTables.flatMap((table) => {
      const { column } = searchedNames[table]
      return [
        `DROP INDEX ${table}_search`,
        `CREATE INDEX ${table}_search ON ${table} USING gin (${searchText}(${column}) gin_trgm_ops) WHERE ${column} <> ''`,
      ]
    }),
    'DROP INDEX agent_texts_parts',
    'TRUNCATE agent_texts',
    ...writing('postgres', 'true'),
    'CREATE INDEX agent_texts_parts ON agent_texts USING gin (text gin_trgm_ops) WITH (fastupdate = off)',
    ...sources.map(
      ({ name, table, condition }) => `CREATE OR REPLACE FUNCTION ${table}_search_${name}() RETURNS trigger
        LANGUAGE plpgsql AS $$ BEGIN
          ${name === 'paid' ? lockOwner : lockTexts(condition)};
          ${writing('postgres', condition).join('; ')};
          RETURN NULL;
        END $$`,
    ),
  ]
}

/**
 * One table folds names and the texts that agents search (`shared/platform/spelling.ts`), and this step builds each of their
 * indexes anew. The indexes of before kept the vowels of India's scripts, which queries left out.
 */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  for (const statement of engine === 'sqlite' ? sqliteStatements() : postgresStatements())
    await sql.raw(statement).execute(kysely)
}
