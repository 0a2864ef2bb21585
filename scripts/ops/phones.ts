import { canonicalPhone } from '#server/platform/phone.ts'
import { UsageError } from '../lib/tool.ts'
import { audited, type OpsContext, type State, type Verb } from './context.ts'
import { maskedPhone } from './format.ts'

async function stateOf({ stores }: OpsContext, phone: string): Promise<State> {
  const failures = await stores.otp.findFailures(phone)
  return Object.fromEntries(
    failures.map(({ role, open, known }) => [`wrong codes in a row as ${role}`, open + known]),
  )
}

/** Unlocks a phone for both roles. @throws when it was not locked. */
export const unlock: Verb = ([typed = '', ...rest]) => {
  const phone = canonicalPhone(typed)
  if (!phone || rest.length > 0) throw new UsageError('name one phone')
  return (context) => {
    const subject = {
      action: 'unlock',
      subject: maskedPhone(phone),
      findUserId: async () => (await context.stores.sessions.findUserByPhone(phone))?.id,
      readState: () => stateOf(context, phone),
    }
    return audited(context, subject, async () => {
      if ((await context.stores.otp.unlockPhone(phone)) === 0)
        throw new Error(`${phone} was not locked in this database, so nothing was changed`)
      return `${phone}: open again`
    })
  }
}
