const sqliteCodes = new Set([5, 6, 8, 10, 13, 14])

/**
 * PostgreSQL's codes of an outage; 57014 is a statement timeout, 25006 a read-only server, 55000 and 28 a refused
 * connection. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const postgresCodes = /^(08...|53...|57P0.|57014|58...|25006|55000|28...)$/

const systemCodes =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOSPC|EDQUOT|EIO|EROFS)$/

const lostConnection =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout (expired|exceeded when trying to connect))/

/** True when the database, not the statement, caused the error: a later retry can succeed. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return sqliteCodes.has(Number(errcode) & 0xff)
  if (typeof code === 'string') return postgresCodes.test(code) || systemCodes.test(code)
  return lostConnection.test(error.message)
}

export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return String((first as Error).message).replaceAll(/\s*\n\s*/g, ' ')
}
