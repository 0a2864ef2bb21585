import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { spelledForSearch } from './0011-desk-search.ts'

/**
 * SQLite: the indexes of what agents search, which hold no copy of it. To take a text out of a large one takes a hundred times
 * as long as to add it, so those that will soon change, because an airway bill is awaited, are in a small one.
 */
export const agentIndexes = ['search_orders', 'search_awaited'] as const

/** The letter that stands three times before what an agent searches: one part of three letters, which the index knows. */
const firstMark = 0x4e00
/** So many letters follow each other there. Further agents share them, and their orders are told apart by their rows. */
const marks = 20_000

export const markOf = (agent: number) => String.fromCodePoint(firstMark + (agent % marks)).repeat(3)

const mark: Readonly<Record<Engine, string>> = {
  sqlite: [1, 2, 3].map(() => `char(${firstMark} + a.id % ${marks})`).join(' || '),
  postgres: `repeat(chr(${firstMark} + a.id % ${marks}), 3)`,
}

const digits = [0x660, 0x6f0].flatMap((zero) =>
  Array.from({ length: 10 }, (_, digit) => [String.fromCodePoint(zero + digit), String(digit)] as const),
)
/** What separates words, as `foldForSearch` has it. */
const separators = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'].map((sign) => [sign, ' '] as const)

/** Several letters of an expression, each by another or, without one, left out. */
function replaced(engine: Engine, text: string, pairs: readonly (readonly [letter: string, as: string])[]) {
  const quoted = (letters: string) => `'${letters.replaceAll("'", "''")}'`
  if (engine === 'sqlite')
    return pairs.reduce((inner, [letter, as]) => `replace(${inner}, ${quoted(letter)}, ${quoted(as)})`, text)
  const [from, to] = [0, 1].map((side) => quoted(pairs.map((pair) => pair[side]).join('')))
  return `translate(${text}, ${from}, ${to})`
}

/** The city of the branch, without the signs that spellings of one name differ in; null where there is none. */
function cityOf(engine: Engine): string {
  const place = "CASE WHEN o.type = 'FROM_MINA' THEN b.destination ELSE b.origin END"
  const city =
    engine === 'sqlite'
      ? `CASE WHEN json_valid(${place}) THEN json_extract(${place}, '$.city') END`
      : `substring(${place} from '"city":"([^"]*)"')`
  return replaced(
    engine,
    city,
    [..."'’‘`ʿʾ"].map((sign) => [sign, ''] as const),
  )
}

/** Paid orders (`condition`) with what their agent searches: in one spelling, after the mark of the agent. */
function texts(engine: Engine, condition: string): string {
  const bag = `' ' || coalesce(b.awb, '') || ' ' || CASE WHEN b.receiver <> u.name THEN b.receiver ELSE '' END
    || ' ' || CASE WHEN b.leg = 0 THEN coalesce(${cityOf(engine)}, '') ELSE '' END`
  const together = engine === 'sqlite' ? `group_concat(${bag}, '')` : `string_agg(${bag}, '')`
  const whole = `o.id || ' ' || u.name || ' ' || u.phone
    || coalesce((SELECT ${together} FROM bookings b WHERE b.order_id = o.id), '')`
  const plain = replaced(engine, whole, [...digits, ...separators])
  const legs = "CASE WHEN o.type = 'TO_AND_FROM_MINA' THEN 2 ELSE 1 END"
  const numbered = 'SELECT count(*) FROM bookings b WHERE b.order_id = o.id AND b.awb IS NOT NULL'
  return `SELECT o.id, CASE WHEN (${numbered}) < ${legs} THEN 1 ELSE 0 END,
      ${mark[engine]} || ' ' || ${spelledForSearch(engine, plain)}
    FROM orders o JOIN users u ON u.id = o.user_id JOIN agent_marks a ON a.agent_code = o.agent_code
    WHERE o.paid_at IS NOT NULL AND ${condition}`
}

/** Writes anew what is searched of some orders, where it has changed. */
const writing = (engine: Engine, condition: string) => [
  `INSERT INTO agent_marks (agent_code) SELECT DISTINCT o.agent_code FROM orders o
    WHERE o.paid_at IS NOT NULL AND ${condition}
      AND NOT EXISTS (SELECT 1 FROM agent_marks a WHERE a.agent_code = o.agent_code) ON CONFLICT DO NOTHING`,
  `INSERT INTO agent_texts (order_id, is_awaited, text) ${texts(engine, condition)}
    ON CONFLICT (order_id) DO UPDATE SET is_awaited = excluded.is_awaited, text = excluded.text
    WHERE agent_texts.text <> excluded.text`,
]

/** What changes the text of an order: its payment, its bookings, and its owner. An unpaid booking concerns no agent. */
const sources = [
  {
    name: 'paid',
    table: 'orders',
    event: 'UPDATE OF paid_at',
    when: 'OLD.paid_at IS NULL',
    of: 'o.id = NEW.id',
  },
  {
    name: 'booked',
    table: 'bookings',
    event: 'INSERT',
    when: "NEW.state <> 'none'",
    of: 'o.id = NEW.order_id',
  },
  {
    ...{ name: 'printed', table: 'bookings', event: 'UPDATE OF awb, receiver', of: 'o.id = NEW.order_id' },
    when: "coalesce(NEW.awb, '') <> coalesce(OLD.awb, '') OR coalesce(NEW.receiver, '') <> coalesce(OLD.receiver, '')",
  },
  {
    ...{ name: 'renamed', table: 'users', event: 'UPDATE OF name, phone', of: 'o.user_id = NEW.id' },
    when: 'NEW.name <> OLD.name OR NEW.phone <> OLD.phone',
  },
] as const

const tables = (id: string) => [
  `CREATE TABLE agent_marks (${id}, agent_code text NOT NULL UNIQUE)`,
  `CREATE TABLE agent_texts (
    order_id bigint PRIMARY KEY NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    is_awaited integer NOT NULL,
    text text NOT NULL
  )`,
]

function indexOf(index: (typeof agentIndexes)[number]): string[] {
  const isHere = (row: string) => `${row}.is_awaited = ${index === 'search_awaited' ? 1 : 0}`
  const add = `INSERT INTO ${index} (rowid, text) SELECT NEW.order_id, NEW.text WHERE ${isHere('NEW')};`
  const remove = `INSERT INTO ${index} (${index}, rowid, text)
    SELECT 'delete', OLD.order_id, OLD.text WHERE ${isHere('OLD')};`
  const trigger = (name: string, event: string, ...changes: readonly string[]) =>
    `CREATE TRIGGER ${index}_${name} AFTER ${event} ON agent_texts BEGIN ${changes.join(' ')} END`
  return [
    `CREATE VIRTUAL TABLE ${index} USING fts5(text, content='', tokenize='trigram remove_diacritics 1')`,
    `INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1)`,
    trigger('added', 'INSERT', add),
    trigger('removed', 'DELETE', remove),
    trigger('changed', 'UPDATE OF text', remove, add),
  ]
}

function sqliteStatements(): string[] {
  return [
    ...tables('id integer PRIMARY KEY NOT NULL'),
    ...agentIndexes.flatMap(indexOf),
    ...writing('sqlite', 'true'),
    ...sources.map(
      ({ name, table, event, when, of }) =>
        `CREATE TRIGGER ${table}_search_${name} AFTER ${event} ON ${table} WHEN ${when}
          BEGIN ${writing('sqlite', of).join('; ')}; END`,
    ),
  ]
}

/** PostgreSQL: what is written after a lock sees what was committed by who has held it. A text that is new has no row to lock. */
const lockOwner = 'PERFORM 1 FROM users WHERE id = NEW.user_id FOR SHARE'
const lockTexts = (condition: string) =>
  `PERFORM 1 FROM agent_texts WHERE order_id IN (SELECT o.id FROM orders o WHERE ${condition}) ORDER BY order_id FOR UPDATE`

function postgresStatements(): string[] {
  return [
    ...tables('id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY'),
    ...writing('postgres', 'true'),
    // Without a list of what is not yet in the index, which each search would read through.
    'CREATE INDEX agent_texts_parts ON agent_texts USING gin (text gin_trgm_ops) WITH (fastupdate = off)',
    ...sources.flatMap(({ name, table, event, when, of }) => [
      `CREATE FUNCTION ${table}_search_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        ${name === 'paid' ? lockOwner : lockTexts(of)};
        ${writing('postgres', of).join('; ')};
        RETURN NULL;
      END $$`,
      `CREATE TRIGGER ${table}_search_${name} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${when})
        EXECUTE FUNCTION ${table}_search_${name}()`,
    ]),
  ]
}

/**
 * What agents search of their orders, in an index by three-letter parts that includes the agent. The database writes it, with
 * the statement that changes a name, a number or an order.
 */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  for (const statement of engine === 'sqlite' ? sqliteStatements() : postgresStatements())
    await sql.raw(statement).execute(kysely)
}
