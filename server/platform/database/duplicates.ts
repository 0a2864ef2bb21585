/** PostgreSQL's code for a duplicate row. SQLite runs transactions one after the other, so a look-up finds the row. */
const uniqueViolation = '23505'

/**
 * Returns undefined when a simultaneous transaction has inserted the same row: the caller's transaction must then be
 * rolled back.
 */
export function orDuplicate(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== uniqueViolation) throw error
}
