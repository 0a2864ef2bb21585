import { acceptHalvedList } from '#server/features/partner/partner.queries.ts'
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
    await context.confirm(`Accept the shorter list of ${kind} that the partner sends?`)
    return context.database.transaction(async () => {
      const since = await acceptHalvedList(context, kind)
      if (since === undefined)
        throw new Error(`no shorter list of ${kind} is refused, so nothing was changed`)
      const refusedSince = timeOf(since)
      await record(context, {
        kind: 'list-accepted',
        about: kind,
        changed: { 'refused since': [refusedSince, null] },
      })
      return `${kind}: a shorter list is refused since ${refusedSince}, and accepted with the next fetch, within minutes`
    })
  }
}
