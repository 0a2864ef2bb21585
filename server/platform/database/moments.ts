import { type RawBuilder, sql } from 'kysely'

/** So much of a list is kept: of what repeats without an end, the beginning says enough. */
const mostLetters = 4_000

/**
 * A column with moments, separated by spaces, each with what it needs to be told, after a `/`: with one more, or with more of
 * the last one. Never cleared.
 */
export const withMoment = (column: string, moment: RawBuilder<string>, after: ' ' | '/' = ' ') => {
  const list = sql.ref(column)
  return sql<string>`CASE WHEN length(${list}) > ${sql.lit(mostLetters)} THEN ${list}
    ELSE coalesce(${list} || ${sql.lit(after)}, '') || ${moment} END`
}

/** A time as such a column holds it; the casts: drivers send numbers as they like. */
export const momentOf = (time: number | RawBuilder<number>) =>
  sql<string>`CAST(CAST(${time} AS bigint) AS text)`
