import { openPostgres } from '#server/platform/database/postgres.ts'
import { patienceMs } from '../basics/patience.ts'

/** A PostgreSQL without limits that a busy machine could meet. */
export const openPatientPostgres = (url: string, onIdleError: (error: Error) => void = () => undefined) =>
  openPostgres(url, {
    applicationName: 'amtiati-tests',
    limits: { connectMs: patienceMs, statementMs: patienceMs, answerMs: patienceMs },
    onIdleError,
  })
