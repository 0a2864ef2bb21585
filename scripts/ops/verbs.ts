import type { Database } from '#server/platform/database/database.ts'
import { readArguments, UsageError } from '../lib/tool.ts'
import { checkOptions, createContext, type OpsContext, type Verb } from './context.ts'
import { audit } from './desk-audit.ts'
import { requestAtDesk } from './desk-requests.ts'
import { stopVerbs } from './desk-stops.ts'
import { find } from './find.ts'
import { listVerbs } from './lists.ts'
import { orderVerbs } from './orders.ts'
import { openAgent, unlock } from './phones.ts'
import { prune } from './prune.ts'
import { endSessions } from './sessions.ts'
import { workerVerbs } from './workers.ts'

const stopOptions = {
  ar: { type: 'string' },
  en: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
} as const

const verbs: Readonly<Record<string, Verb>> = {
  find,
  ...listVerbs,
  ...orderVerbs,
  ...workerVerbs,
  'end-sessions': endSessions,
  unlock,
  'open-agent': openAgent,
  prune,
  // desk
  ...stopVerbs,
  audit,
  // desk
}

/**
 * Reads a verb and its arguments. The result works on a gateway's database at a time of its clock and returns the
 * text to print.
 * @throws UsageError
 */
export function readVerb(
  args: readonly string[],
): (database: Database, gateway: Pick<OpsContext, 'now' | 'hasDesk'>) => Promise<string> {
  const { positionals, values } = readArguments(args, {
    by: { type: 'string' },
    as: { type: 'string' },
    reason: { type: 'string' },
    ...stopOptions,
  })
  const [name = '', ...rest] = positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError()
  checkOptions(values)
  const stray = Object.keys(stopOptions).find((option) => Object.hasOwn(values, option))
  if (stray !== undefined && name !== 'stop') throw new UsageError(`--${stray} belongs to stop`)
  const work = verb(rest, values)
  return (database, gateway) =>
    work(
      createContext(
        database,
        values,
        gateway,
        // desk
        requestAtDesk,
        // desk
      ),
    )
}
