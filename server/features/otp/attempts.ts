import type { Core } from '#server/core.ts'
import { addressGroup, truncatedAddress } from '#server/platform/address.ts'
import { type Log, maskedPhone } from '#server/platform/logging.ts'
import { phoneGroups, readPhone } from '#server/platform/phone.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import { keyOfEmail } from './emails.rules.ts'
import { ownRules } from './limits.rules.ts'
import { isKnownDevice, lockPhone } from './otp.queries.ts'
import { type EmailRole, fieldRefusal, isEmailRole, type Origin, type PhoneRole } from './otp.rules.ts'
import { findPairing } from './pairings.queries.ts'

/** The cookies contain the tokens; the database stores only their hashes. */
export interface Browser {
  readonly binding: string | undefined
  readonly device: string | undefined
  readonly address: string
  readonly log: Log
}

type Channel = SendChannel | null

export type Attempt<By extends Channel = Channel> = ReturnType<typeof attemptOf<By>>

export interface EmailTarget {
  readonly role: EmailRole
  readonly key: string
  readonly email: string
  /** For `recovery`: the phone number of the account that has this e-mail address. */
  readonly accountPhone?: string | undefined
}

async function readTrust(core: Core, { device, binding }: Browser, role: PhoneRole, phone: string) {
  const now = core.clock.now()
  if (isToken(device) && (await isKnownDevice(core, hashOf(device), now - deviceLifeMs, { role, phone })))
    return 'known'
  if (role === 'user' || !isToken(binding)) return 'open'
  const pairing = await findPairing(core, { browserHash: hashOf(binding), phone }, now)
  return pairing?.opened_at == null ? 'open' : 'known'
}

export function attemptOf<By extends Channel>(
  { config, clock }: Core,
  { address, log }: Browser,
  from: Omit<Origin, 'address' | 'channel'> & { readonly channel: By },
) {
  const { role, trust, country, channel, phone } = from
  const shown = {
    role,
    trust,
    ...(!isEmailRole(role) && { country, channel, phone: maskedPhone(phone) }),
    address: truncatedAddress(address),
  }
  return {
    origin: { ...from, address: addressGroup(address) },
    rules: ownRules(config, role),
    now: clock.now(),
    log: (level: 'info' | 'warn' | 'error', event: string, more?: object) =>
      log[level]({ event: `sign-in.${event}`, ...shown, ...more }),
  }
}

export async function readAttempt<By extends Channel>(
  core: Core,
  role: PhoneRole,
  typedPhone: string,
  browser: Browser,
  channelOf: (country: string) => By,
): Promise<Attempt<By>> {
  const read = readPhone(typedPhone, core.config.ALLOWED_PHONE_COUNTRIES)
  if ('refusal' in read)
    throw fieldRefusal('phone', read.refusal === 'invalid' ? 'PHONE_INVALID' : 'PHONE_CANNOT_RECEIVE_CODES')
  const { phone } = read
  const groups = phoneGroups(phone)
  const channel = channelOf(groups.country)
  const trust = await readTrust(core, browser, role, phone)
  return attemptOf(core, browser, { role, phone, trust, ...groups, channel })
}

/**
 * A browser that has signed in before has its own limits, because strangers who request codes must not keep the owner
 * from recovering the account.
 */
export async function readEmailAttempt(
  core: Core,
  { role, key: phone, email, accountPhone = '' }: EmailTarget,
  browser: Browser,
) {
  const trust = await readTrust(core, browser, 'user', accountPhone)
  return attemptOf(core, browser, {
    role,
    phone,
    trust,
    // The prefix contains the role: strangers' recoveries must not keep a user from proving the address.
    prefix: `${role} ${keyOfEmail(email)}`,
    country: '',
    channel: 'email' as const,
  })
}

/**
 * The transaction first locks the phone number, then `failures` resolves. Other requests for it wait in memory, because
 * a request that waits in the database holds a connection.
 */
export const inTurn = <T>(
  core: Core,
  { origin, now }: Attempt,
  work: (failures: Promise<number>) => Promise<T>,
): Promise<T> =>
  core.codeTurns(`${origin.role} ${origin.phone}`, () =>
    core.database.transaction(async () => {
      const failures = lockPhone(core, origin, now)
      const [result] = await Promise.all([work(failures), failures])
      return result
    }),
  )
