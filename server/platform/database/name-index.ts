import { type Kysely, type RawBuilder, sql } from 'kysely'
import { StartFailure } from '#server/platform/start-failure.ts'
import { foldForSearch } from '#shared/platform/search.ts'
import type { Engine } from './database.ts'
import { type SearchedTable, searchedNames, searchText } from './search-text.ts'

const shortestPart = 3

/**
 * PostgreSQL's index collects all matches before the first is read, so the newest rows are compared without it: among
 * them a common name has enough matches, and a rare name has few in the index.
 */
const newestRows = 1_000
const readAtMost = 500

/**
 * A text matches when it contains at least one part of each inner list. A part has at least three letters, digits or
 * spaces.
 */
export type Needle = readonly (readonly string[])[]

/**
 * Returns two patterns for a typed name. The first finds all words, or the words written together, because many people
 * write «عبد الرحمن» as «عبدالرحمن»; a name can lack an initial. The second leaves out words of two letters: it finds
 * «Abd ul-Rahman» for «abd al rahman».
 */
export function nameNeedlesOf(typed: string): readonly Needle[] {
  const words = foldForSearch(typed).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const whole = partOf(words)
  const asked = words.filter((word) => lengthOf(word) > 1)
  if (asked.length === 0) return [[[whole]]]
  const rows = asked.map((word, index) => {
    const withNext = [asked.slice(Math.max(index - 1, 0), index + 1), asked.slice(index, index + 2)]
    const glued = withNext.filter((pair) => pair.length === 2).map(partOf)
    return [...new Set([partOf([word]), ...(isShort(word) ? glued : []), whole])]
  })
  const wider = rows.filter((_, index) => !isShort(asked[index]))
  return wider.length === 0 || wider.length === rows.length ? [rows] : [rows, wider]
}

/**
 * A space in a part is the border of a word: a short first word must begin a word of the name, and a short last word
 * must end one.
 */
const partOf = (words: readonly string[]) =>
  `${isShort(words[0]) ? ' ' : ''}${words.join('')}${isShort(words.at(-1)) ? ' ' : ''}`

const lengthOf = (word: string) => [...word].length
const isShort = (word = '') => lengthOf(word) < shortestPart

/**
 * One scan of PostgreSQL's index answers a whole regular expression; `LIKE … OR LIKE …` would use the index for one
 * list of parts only. A part needs no escapes.
 */
export function hasNeedle(engine: Engine, text: RawBuilder<string>, needle: Needle): RawBuilder<boolean> {
  const hasPart = (parts: readonly string[]) =>
    engine === 'postgres'
      ? sql`${text} ~ ${parts.join('|')}`
      : sql`(${sql.join(
          parts.map((part) => sql`${text} LIKE ${`%${part}%`}`),
          sql` OR `,
        )})`
  return sql<boolean>`${sql.join(needle.map(hasPart), sql` AND `)}`
}

/** When very many older rows have the name, only some of them are found. */
export function idsByName(
  engine: Engine,
  table: SearchedTable,
  needle: Needle,
  limit: number,
): RawBuilder<number> {
  if (needle.length === 0) throw new Error('no part of a name to search by')
  const column = searchedNames[table]
  const name = sql.raw<string>(`${searchText}(${column})`)
  const isNamed = sql`${sql.ref(column)} <> '' AND ${hasNeedle(engine, name, needle)}`
  const rows = sql.table(table)
  return sql`(WITH lately AS (
      SELECT id FROM (SELECT id, ${sql.ref(column)} FROM ${rows} ORDER BY id DESC LIMIT ${newestRows}) AS newest
      WHERE ${isNamed} ORDER BY id DESC LIMIT ${limit}),
    found AS MATERIALIZED (
      SELECT id FROM ${rows} WHERE (SELECT count(*) FROM lately) < ${limit} AND ${isNamed} LIMIT ${readAtMost})
    SELECT id FROM (SELECT id FROM lately UNION SELECT id FROM found) AS named ORDER BY id DESC LIMIT ${limit})`
}

const forbidden = '42501'

/**
 * pg_trgm recognises letters by the database's LC_CTYPE: under `C` Arabic has no letters, and no Arabic name would be
 * found.
 */
// biome-ignore lint/suspicious/noExplicitAny: before the tables exist
export async function prepareNameIndex(kysely: Kysely<any>): Promise<void> {
  try {
    await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(kysely)
  } catch (error) {
    const isForbidden = (error as { code?: unknown }).code === forbidden
    const hint = isForbidden ? 'allow its user to create it' : 'install the contrib modules of PostgreSQL'
    throw new StartFailure(
      `the database has no extension pg_trgm, which names are searched with: ${hint}.`,
      error,
    )
  }
  const { rows } = await sql<{ known: boolean; ctype: string }>`SELECT
      cardinality(show_trgm('أمتعتي')) > 0 AS known, datctype AS ctype
    FROM pg_database WHERE datname = current_database()`.execute(kysely)
  if (rows[0]?.known) return
  throw new StartFailure(
    `names in Arabic cannot be searched in this database: its LC_CTYPE is ${rows[0]?.ctype}. Create it with ENCODING 'UTF8' and an LC_CTYPE of UTF-8, such as C.UTF-8.`,
  )
}
