import { setup as startPostgres } from '../database/postgres.ts'
import { setup as makeTemporaryFolder } from '../programs/temporary-folder.ts'

/** Before all journeys. @returns what ends with the run */
export default async function setUpRun(): Promise<() => Promise<void>> {
  const removeFolder = makeTemporaryFolder()
  const stopPostgres = await startPostgres()
  return async () => {
    await stopPostgres()
    removeFolder()
  }
}
