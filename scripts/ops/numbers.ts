import { listEvents } from '#server/features/history/history.ts'
import { restoreNumber as restore } from '#server/features/sessions/number-changes.ts'
import { findUserByPhone } from '#server/features/users/users.queries.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { UsageError } from '../lib/tool.ts'
import { coreOf, type OpsContext, operatorOf, record, type Verb } from './context.ts'
import { maskedPhone } from './format.ts'
import { requireActor } from './sessions.ts'

async function findHolder(context: OpsContext, present: string, former: string) {
  const user = await findUserByPhone(context, present)
  if (!user) throw new Error(`no account has ${present}, so nothing was changed`)
  const changes = await listEvents(context, 'user_id', [user.id], ['account-changed'])
  const hadNumber = changes.some(
    ({ kind, data }) => kind === 'account-changed' && data.personal?.phone === former,
  )
  if (!hadNumber)
    throw new Error(`the account of ${present} did not have ${former} within 90 days, so nothing was changed`)
  if (await findUserByPhone(context, former))
    throw new Error(`${former} has another account, which its owner deletes first, so nothing was changed`)
  return user
}

/**
 * Gives an account that was taken over back to the number that it had. It refuses when a desk is configured: there
 * two people change a number, and the change waits.
 * @throws when the account did not have the number, or another account has it
 */
export const restoreNumber: Verb = ([typedPresent = '', typedFormer = '', ...rest], options) => {
  requireActor(rest, options)
  const [present, former] = [canonicalPhone(typedPresent), canonicalPhone(typedFormer)]
  if (present === undefined || former === undefined)
    throw new UsageError('name the number that the account has, and the number that it had')
  if (present === former) throw new UsageError('the two numbers are the same')
  return async (context) => {
    if (context.hasDesk)
      throw new Error(
        'at the desk two people change a number: ask for it on the page of the person, where a second person approves it; nothing was changed',
      )
    await findHolder(context, present, former)
    await context.confirm(`Give the account of ${present} back to ${former}, and end its sessions?`)
    return context.database.transaction(async () => {
      const user = await findHolder(context, present, former)
      const ended = await restore(coreOf(context), operatorOf(context), user, former)
      if (ended === undefined)
        throw new Error(
          `the account of ${present} or of ${former} was changed meanwhile, so nothing was changed: try it again`,
        )
      await record(context, {
        kind: 'sessions-ended',
        userId: user.id,
        changed: {
          phone: [maskedPhone(present), maskedPhone(former)],
          ended: [null, ended],
        },
      })
      return `the account of ${present} belongs to ${former} again, without an address; ${ended} sessions ended`
    })
  }
}
