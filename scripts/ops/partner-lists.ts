import { acceptHalvedList, findStoredList } from '#server/features/partner/partner.queries.ts'
import { listKinds } from '#server/features/partner/partner-lists.ts'
import { UsageError } from '../lib/tool.ts'
import { record, type Verb } from './context.ts'
import { timeOf } from './format.ts'

/**
 * Accepts a list of the partner that is less than half as long as the stored one, before it was sent for 24 hours.
 * @throws when no such list is refused
 */
export const acceptList: Verb = ([name, ...rest], { reason }) => {
  const kind = listKinds.find((each) => each === name)
  if (kind === undefined || rest.length > 0) throw new UsageError(`name one list: ${listKinds.join(' or ')}`)
  if (reason === undefined) throw new UsageError('accept-list needs --reason')
  return async (context) => {
    const stored = await findStoredList(context, kind)
    // 0 after it was accepted.
    if (!stored?.halvedSince) throw new Error(`no shorter list of ${kind} is refused, so nothing was changed`)
    const since = stored.halvedSince
    const refusedSince = timeOf(since)
    const { length } = JSON.parse(stored.body) as unknown[]
    await context.confirm(
      `${length} ${kind} are stored, and a list of less than half as many is refused since ${refusedSince}. Accept the shorter list of ${kind} that the partner sends?`,
    )
    return context.database.transaction(async () => {
      if (!(await acceptHalvedList(context, kind, since)))
        throw new Error(`the list of ${kind} was accepted or replaced meanwhile, so nothing was changed`)
      await record(context, {
        kind: 'list-accepted',
        about: kind,
        changed: { 'refused since': [refusedSince, null] },
      })
      return `${kind}: a shorter list is refused since ${refusedSince}, and accepted with the next fetch, within minutes. An empty list takes this back`
    })
  }
}
