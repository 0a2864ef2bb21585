import { changedBetween } from '#server/features/history/acts.ts'
import { keyOfEmail, keyOfUser } from '#server/features/otp/emails.rules.ts'
import { listFailures, resetFailures } from '#server/features/otp/otp.queries.ts'
import { markOpened } from '#server/features/otp/pairings.queries.ts'
import { findUserByEmail, findUserByPhone } from '#server/features/users/users.queries.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { readEmail } from '#shared/sessions/email-address.ts'
import { UsageError } from '../lib/tool.ts'
import { type OpsContext, record, type Verb } from './context.ts'
import { maskedPhone } from './format.ts'

async function stateOf(context: OpsContext, keys: readonly string[]): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await listFailures(context, keys)).map((row) => [
      `wrong codes in a row as ${row.role}`,
      row.consecutive_failures + row.known_consecutive_failures,
    ]),
  )
}

/** The masked phone or address, its user, and the key of its limits. */
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
      findUserId: async (context) => (await findUserByPhone(context, phone))?.id,
      keysOf: () => [phone],
    }
  const email = readEmail(typed)
  if (email === undefined) throw new UsageError('name one phone or one address')
  return {
    typed: email,
    masked: email.replace(/(?<=^.)[^@]*/, '•••'),
    findUserId: async (context) => (await findUserByEmail(context, email))?.id,
    keysOf: (userId) => [keyOfEmail(email), ...(userId === undefined ? [] : [keyOfUser(userId)])],
  }
}

/**
 * Unlocks a phone for both screens, or an address for proving and recovery.
 * @throws when it was not locked
 */
export const unlock: Verb = ([typed = '', ...rest]) => {
  if (rest.length > 0) throw new UsageError('name one phone or one address')
  const locked = readLocked(typed)
  return async (context) => {
    const userId = await locked.findUserId(context)
    const keys = locked.keysOf(userId)
    return context.database.transaction(async () => {
      const before = await stateOf(context, keys)
      if ((await resetFailures(context, keys)) === 0)
        throw new Error(`${locked.typed} was not locked in this database, so nothing was changed`)
      const changed = changedBetween(before, await stateOf(context, keys))
      await record(context, { kind: 'phone-unlocked', userId, about: locked.masked, changed })
      return `${locked.typed}: open again`
    })
  }
}

/**
 * Lets the browser that shows this pairing number sign an agent in, once.
 * @throws when no browser shows it now
 */
export const openAgent: Verb = ([typedPhone = '', ...digits], { reason }) => {
  const phone = canonicalPhone(typedPhone)
  const pairing = foldDigits(digits.join(''))
  if (phone === undefined || !/^\d{6}$/.test(pairing))
    throw new UsageError('name the phone of the agent and the six digits on its screen')
  if (reason === undefined) throw new UsageError('open-agent needs --reason')
  return (context) => {
    const { database, now } = context
    return database.transaction(async () => {
      const isOpened = await markOpened(context, { phone, pairing }, now)
      if (!isOpened) throw new Error(`no browser shows ${pairing} for ${phone} now, so nothing was changed`)
      await record(context, { kind: 'device-admitted', about: maskedPhone(phone) })
      return `${phone}: the browser that shows ${pairing} may ask for a code within half an hour`
    })
  }
}
