/** PostgreSQL's code. SQLite runs transactions one after the other, so a preceding look-up finds the row. */
const uniqueViolation = '23505'

/** Undefined when a simultaneous transaction has inserted an equal row. The transaction must be rolled back then. */
export function orDuplicate(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== uniqueViolation) throw error
}
