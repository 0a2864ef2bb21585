/**
 * PostgreSQL's code for a duplicate row. SQLite runs transactions one after the other, so a look-up before the insert
 * finds the row.
 */
const uniqueViolation = '23505'

/**
 * Undefined when a simultaneous transaction has inserted an equal row: this transaction must then be rolled back.
 * @throws any other error
 */
export function orDuplicate(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== uniqueViolation) throw error
}
