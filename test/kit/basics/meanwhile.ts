import type { Database } from '#server/platform/database/database.ts'

/** Runs `work` just before the next call of this kind: what another process may do at that moment. */
export function meanwhile(
  database: Database,
  call: 'transaction' | 'wins',
  work: () => Promise<unknown>,
): void {
  const { [call]: original } = database
  Object.assign(database, {
    async [call](given: never) {
      Object.assign(database, { [call]: original })
      await work()
      return original(given)
    },
  })
}
