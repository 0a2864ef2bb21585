import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** Columns with names of persons, and the index of each on SQLite, which holds no copy of the names. */
export const searchedNames = {
  users: { column: 'name', index: 'search_users' },
  bookings: { column: 'receiver_name', index: 'search_bookings' },
} as const
export type SearchedTable = keyof typeof searchedNames

/**
 * Spellings of letters that are one for a reader who searches; without a second letter it is left out. The Latin ones are those
 * that SQLite's index does not know itself.
 */
const spellings: readonly (readonly [letters: string, as: string])[] = [
  ['أإآٱ', 'ا'],
  ['ىیئ', 'ي'],
  ['ؤ', 'و'],
  ['ک', 'ك'],
  ['ةہۂ', 'ه'],
  ['Ǡǡ', 'a'],
  ['ǢǣǼǽ', 'æ'],
  ['Ǯǯ', 'ʒ'],
  ['Ǿǿ', 'ø'],
  // Hamza, tatweel and the marks of vowels.
  ['\u0621\u0640\u064B\u064C\u064D\u064E\u064F\u0650\u0651\u0652\u0653\u0654\u0655\u0670', ''],
]

/** Marks of Latin letters, as Unicode writes them apart, which never changes. */
function latinMarks(): string[] {
  const ranges = [
    [0x00c0, 0x024f],
    [0x1e00, 0x1eff],
  ] as const
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  return [...new Set(letters.join('').normalize('NFKD').match(/\p{M}/gu))].sort()
}

/** A column as it is searched: in one spelling. */
export function spelledForSearch(engine: Engine, column: string): string {
  const single = spellings.flatMap(([letters, as]) => [...letters].map((letter) => [letter, as] as const))
  // Latin marks are left out by the index of SQLite itself.
  if (engine === 'sqlite')
    return single.reduce((text, [letter, as]) => `replace(${text}, '${letter}', '${as}')`, column)
  // Letters whose marks are written apart need no row; the shorter the list, the faster each name. What is left out comes last.
  const pairs = [...single, ...latinMarks().map((mark) => [mark, ''] as const)]
    .filter(([letter]) => letter.normalize('NFKD') === letter)
    .sort(([, one], [, other]) => other.length - one.length)
  const from = pairs.map(([letter]) => letter).join('')
  const to = pairs.map(([, as]) => as).join('')
  return `lower(translate(normalize(${column}, NFKD), '${from}', '${to}'))`
}

/** The last four digits of a phone, as an index holds them. */
export const phoneEndOf = (column: string) => `substr(${column}, length(${column}) - 3)`

/** SQLite: three-letter parts of names, kept true by triggers; what is deleted leaves no trace in it. */
function sqliteIndexOf(table: SearchedTable): string[] {
  const { column, index } = searchedNames[table]
  const spelled = (row: string) => spelledForSearch('sqlite', `${row}.${column}`)
  const remove = `INSERT INTO ${index} (${index}, rowid, name) SELECT 'delete', OLD.id, ${spelled('OLD')} WHERE OLD.${column} <> '';`
  const add = `INSERT INTO ${index} (rowid, name) SELECT NEW.id, ${spelled('NEW')} WHERE NEW.${column} <> '';`
  const trigger = (name: string, event: string, when: string, ...changes: readonly string[]) =>
    `CREATE TRIGGER ${table}_search_${name} AFTER ${event} ON ${table} WHEN ${when} BEGIN ${changes.join(' ')} END`
  return [
    `CREATE VIRTUAL TABLE ${index} USING fts5(name, content='', tokenize='trigram remove_diacritics 1')`,
    `INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1)`,
    `INSERT INTO ${index} (rowid, name) SELECT id, ${spelled(table)} FROM ${table} WHERE ${column} <> ''`,
    trigger('added', 'INSERT', `NEW.${column} <> ''`, add),
    trigger('removed', 'DELETE', `OLD.${column} <> ''`, remove),
    trigger('changed', `UPDATE OF ${column}`, `NEW.${column} IS NOT OLD.${column}`, remove, add),
  ]
}

const postgresIndexOf = (table: SearchedTable): string[] => {
  const { column } = searchedNames[table]
  return [
    `CREATE INDEX ${table}_search ON ${table} USING gin (${spelledForSearch('postgres', column)} gin_trgm_ops)
      WHERE ${column} <> ''`,
  ]
}

const statements = [
  `CREATE INDEX users_phone_end ON users (${phoneEndOf('phone')}, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX bookings_receiver_phone_end ON bookings (${phoneEndOf('receiver_phone')}, id)
    WHERE receiver_phone IS NOT NULL`,
  `CREATE INDEX bookings_second_phone_end ON bookings (${phoneEndOf('second_phone')}, id)
    WHERE second_phone IS NOT NULL`,
  // The list of the desk, newest first; paid ones are the most, and found among all.
  'CREATE INDEX orders_created ON orders (created_at, id)',
  'CREATE INDEX orders_agent_created ON orders (agent_code, created_at, id)',
  'CREATE INDEX orders_center_created ON orders (center_code, created_at, id)',
  "CREATE INDEX orders_refunded ON orders (created_at, id) WHERE status = 'REFUNDED'",
  // How often a person of the desk did something lately.
  `CREATE INDEX operator_actions_staff ON operator_actions (actor_issuer, actor_subject, action, at)
    WHERE actor_subject IS NOT NULL`,
  // Null in rows of before.
  'ALTER TABLE orders ADD COLUMN expired_at bigint',
  'ALTER TABLE bookings ADD COLUMN issued_at bigint',
  'ALTER TABLE bookings ADD COLUMN halts text',
  `UPDATE bookings SET halts = CAST(stopped_at AS text) || '/' || CAST(creations AS text)
    WHERE state = 'waiting' AND stopped_at IS NOT NULL`,
]

/** What the desk finds persons and orders by. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const indexOf = engine === 'sqlite' ? sqliteIndexOf : postgresIndexOf
  const indexes = (Object.keys(searchedNames) as SearchedTable[]).flatMap(indexOf)
  for (const statement of [...statements, ...indexes]) await sql.raw(statement).execute(kysely)
}
