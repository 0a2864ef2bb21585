import type { Changed } from '#server/features/history/history.kinds.ts'
import { createPauses } from '#server/platform/database/pauses.ts'
import { type WorkerName, workerNames } from '#server/platform/worker-names.ts'
import { UsageError } from '../lib/tool.ts'
import { type OpsContext, record, type Verb, withoutArguments } from './context.ts'
import { table, timeOf } from './format.ts'

/** @throws UsageError with the names for an unknown one */
function namesOf([name, ...rest]: readonly string[]): readonly WorkerName[] {
  if (name === 'all' && rest.length === 0) return workerNames
  const known = workerNames.filter((worker) => worker === name)
  if (known.length === 0 || rest.length > 0)
    throw new UsageError(`name one worker, or all: ${workerNames.join(', ')}`)
  return known
}

async function change(
  context: OpsContext,
  action: 'pause' | 'resume',
  names: readonly WorkerName[],
): Promise<string> {
  const pauses = createPauses(context.database)
  return context.database.transaction(async () => {
    const changed = action === 'pause' ? await pauses.pause(names, context.now) : await pauses.resume(names)
    const already = action === 'pause' ? 'paused already' : 'not paused'
    if (changed.length === 0) throw new Error(`${names.join(', ')}: ${already}, so nothing was changed`)
    const states: Changed[string] = action === 'pause' ? ['runs', 'paused'] : ['paused', 'runs']
    await record(context, {
      kind: action === 'pause' ? 'worker-paused' : 'worker-resumed',
      about: names.length === 1 ? names[0] : 'all workers',
      changed: Object.fromEntries(changed.map((name) => [name, states])),
    })
    const what =
      action === 'pause'
        ? 'claims no more work, on all gateways within seconds'
        : 'works again within seconds'
    return names
      .filter((name) => changed.includes(name))
      .map((name) => `${name}: ${what}`)
      .join('\n')
  })
}

const changing =
  (action: 'pause' | 'resume'): Verb =>
  (args) => {
    const names = namesOf(args)
    return (context) => change(context, action, names)
  }

export const workerVerbs = {
  pause: changing('pause'),
  resume: changing('resume'),

  workers: withoutArguments(async ({ database }) => {
    const since = new Map(
      (await createPauses(database).list()).map(({ name, paused_at }) => [name, paused_at]),
    )
    const rows = workerNames.map((name) => {
      const at = since.get(name)
      return at === undefined ? [name, 'runs'] : [name, `paused since ${timeOf(at)}`]
    })
    return table([['worker', 'state'], ...rows])
  }),
} satisfies Readonly<Record<string, Verb>>
