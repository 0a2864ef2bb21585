/** PostgreSQL's code. SQLite runs transactions one after the other, so a statement that looks first finds the row. */
const uniqueViolation = '23505'

/**
 * For `catch`: undefined where another transaction, which this statement could not see yet, made an equal row first. The
 * transaction can only be rolled back then.
 */
export function orDuplicate(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== uniqueViolation) throw error
}
