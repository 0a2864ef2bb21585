import { systemClock } from '#server/platform/clock.ts'
import {
  adoptInstallation,
  nameOfInstallation,
  readInstallation,
} from '#server/platform/database/installation.ts'
import { modes } from '#server/platform/modes.ts'
import { readArguments, readDatabaseLocation, UsageError, withSource } from '../lib/tool.ts'
import { checkOptions, createContext, record } from './context.ts'

/**
 * Writes the mode of a database that has orders and no mode. A mode is never changed: a reset would empty a live
 * database that became a demo, and a demo that became live would book its orders at the real courier.
 */
export async function adopt(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args, {
    mode: { type: 'string' },
    by: { type: 'string' },
    reason: { type: 'string' },
  })
  if (positionals.length > 0) throw new UsageError()
  checkOptions(values)
  const mode = modes.find((each) => each === values.mode)
  if (!mode) throw new UsageError('--mode must be live or demo')
  await withSource(await readDatabaseLocation(), {}, async ({ database, installation, location }) => {
    if (installation)
      throw new Error(
        `${location.name} belongs to ${nameOfInstallation(installation)} already. The mode of a database is never changed.`,
      )
    const read = () => readInstallation(database.tables)
    const context = createContext(database, values, { now: systemClock.now(), hasDesk: false })
    const adopted = await database.transaction(async () => {
      if (!(await adoptInstallation(database, mode)))
        throw new Error('another operator has just adopted it, so nothing was changed')
      const found = await read()
      await record(context, {
        kind: 'mode-set',
        changed: { id: [null, found?.id ?? null], mode: [null, mode] },
      })
      return found
    })
    console.log(`adopted: ${adopted && nameOfInstallation(adopted)}`)
  })
}
