import type { State } from '#server/features/audit/audit.service.ts'
import { keyOfEmail, keyOfUser } from '#server/features/otp/emails.rules.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { readEmail } from '#shared/sessions/email-address.ts'
import { UsageError } from '../lib/tool.ts'
import { audited, type OpsContext, type Verb } from './context.ts'
import { maskedPhone } from './format.ts'

async function stateOf({ stores }: OpsContext, keys: readonly string[]): Promise<State> {
  const failures = (await Promise.all(keys.map((key) => stores.otp.findFailures(key)))).flat()
  return Object.fromEntries(
    failures.map(({ role, open, known }) => [`wrong codes in a row as ${role}`, open + known]),
  )
}

/** What was named, without most of it; its user; and what the limits count it by. */
interface Locked {
  readonly typed: string
  readonly masked: string
  readonly findUserId: (context: OpsContext) => Promise<number | undefined>
  readonly keysOf: (userId: number | undefined) => readonly string[]
}

function readLocked(typed: string): Locked {
  const phone = canonicalPhone(typed)
  if (phone !== undefined)
    return {
      typed: phone,
      masked: maskedPhone(phone),
      findUserId: async ({ stores }) => (await stores.sessions.findUserByPhone(phone))?.id,
      keysOf: () => [phone],
    }
  const email = readEmail(typed)
  if (email === undefined) throw new UsageError('name one phone or one address')
  return {
    typed: email,
    masked: email.replace(/(?<=^.)[^@]*/, '•••'),
    findUserId: async ({ stores }) => (await stores.sessions.findUserByEmail(email))?.id,
    keysOf: (userId) => [keyOfEmail(email), ...(userId === undefined ? [] : [keyOfUser(userId)])],
  }
}

/** Unlocks a phone for both screens, or an address for proving and recovery. @throws when it was not locked. */
export const unlock: Verb = ([typed = '', ...rest]) => {
  if (rest.length > 0) throw new UsageError('name one phone or one address')
  const locked = readLocked(typed)
  return async (context) => {
    const userId = await locked.findUserId(context)
    const keys = locked.keysOf(userId)
    const subject = {
      action: 'unlock',
      subject: locked.masked,
      findUserId: async () => userId,
      readState: () => stateOf(context, keys),
    }
    return audited(context, subject, async () => {
      let opened = 0
      for (const key of keys) opened += await context.stores.otp.unlockPhone(key)
      if (opened === 0)
        throw new Error(`${locked.typed} was not locked in this database, so nothing was changed`)
      return `${locked.typed}: open again`
    })
  }
}
