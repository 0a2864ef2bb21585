import type { Database } from '#server/platform/database/database.ts'
import { readArguments, UsageError } from '../lib/tool.ts'
import { checkOptions, createContext, type Verb } from './context.ts'
import { find } from './find.ts'
import { listVerbs } from './lists.ts'
import { orderVerbs } from './orders.ts'
import { unlock } from './phones.ts'
import { prune } from './prune.ts'
import { workerVerbs } from './workers.ts'

const verbs: Readonly<Record<string, Verb>> = {
  find,
  ...listVerbs,
  ...orderVerbs,
  ...workerVerbs,
  unlock,
  prune,
}

/**
 * Reads a verb and its arguments; the result works on a database, at a time of the gateway's clock, and returns the text to
 * print. @throws UsageError
 */
export function readVerb(args: readonly string[]): (database: Database, now: number) => Promise<string> {
  const { positionals, values } = readArguments(args, {
    by: { type: 'string' },
    reason: { type: 'string' },
  })
  const [name = '', ...rest] = positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError()
  checkOptions(values)
  const work = verb(rest, values)
  return (database, now) => work(createContext(database, values, now))
}
