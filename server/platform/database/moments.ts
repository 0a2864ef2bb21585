import { type RawBuilder, sql } from 'kysely'

/** A time as text; the casts: drivers send numbers as they like. */
export const momentOf = (time: number | RawBuilder<number>) =>
  sql<string>`CAST(CAST(${time} AS bigint) AS text)`
