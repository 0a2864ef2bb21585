import { formatClock } from '#client/platform/format.ts'
import type { Role } from '#client/session/session.rules.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'

/** The server limits sending and checking codes separately. */
export type Step = 'send' | 'check'

/** A rate limit the server applied to one step for one phone. */
export interface Limit {
  readonly role: Role
  readonly step: Step
  readonly phone: string
  /** The channel that was chosen. A limit in `codesOfChannel` applies to it alone, every other limit to all channels. */
  readonly channel?: SendChannel | undefined
  /** The server's error code. */
  readonly code: string
  /** Epoch milliseconds. Null when only support can lift it. */
  readonly until: number | null
}

/** Error codes with a text of their own; the other codes share a general text. */
const codesWithText = [
  'CODE_REQUESTED_TOO_SOON',
  'TOO_MANY_CODES',
  'TOO_MANY_EMAIL_CODES',
  'TOO_MANY_WRONG_CODES',
  'PHONE_LOCKED',
  'SIGN_IN_BUSY',
] as const

const codesOfChannel: readonly string[] = ['CODE_REQUESTED_TOO_SOON', 'TOO_MANY_EMAIL_CODES']

/** At the agents' sign-in it is not known whether a code was sent, because a number that is not registered gets none. */
const codesOfAgents = ['CODE_REQUESTED_TOO_SOON', 'TOO_MANY_CODES'] as const

type LimitName = `agent.${(typeof codesOfAgents)[number]}` | (typeof codesWithText)[number] | 'other'

/** The text of a limit, under `limits` in the catalogue. */
export function limitName({ role, code }: Pick<Limit, 'role' | 'code'>): LimitName {
  const ofAgents = role === 'agent' && codesOfAgents.find((known) => known === code)
  return ofAgents ? `agent.${ofAgents}` : (codesWithText.find((known) => known === code) ?? 'other')
}

/** Adds a limit. It replaces an earlier limit on the same step, phone and channel; limits that have ended are removed. */
export function withLimit(limits: readonly Limit[], limit: Limit, now: number): readonly Limit[] {
  return [...limits.filter((other) => !isAbout(other, limit) && isActive(other, now)), limit]
}

/** Removes the limit on a step that has succeeded. */
export function withoutLimit(
  limits: readonly Limit[],
  succeeded: Pick<Limit, 'role' | 'step' | 'phone'>,
): readonly Limit[] {
  const rest = limits.filter((limit) => !isSame(limit, succeeded))
  return rest.length === limits.length ? limits : rest
}

export function isActive({ until }: Limit, now: number): boolean {
  return until === null || until > now
}

/** The step, phone number and channel that a limit applies to. */
export type Limited = Pick<Limit, 'role' | 'step' | 'phone' | 'channel'>

export function limitOn(limits: readonly Limit[], limited: Limited): Limit | undefined {
  return limits.findLast((limit) => isAbout(limit, limited))
}

/** The newest limit on a step for a phone, on any channel. */
export function newestLimitOn(
  limits: readonly Limit[],
  limited: Omit<Limited, 'channel'>,
): Limit | undefined {
  return limits.findLast((limit) => isSame(limit, limited))
}

function isAbout(limit: Limit, limited: Limited): boolean {
  const isOfChannel = codesOfChannel.includes(limit.code)
  return isSame(limit, limited) && (!isOfChannel || limit.channel === limited.channel)
}

function isSame(one: Limit, other: Omit<Limited, 'channel'>): boolean {
  return one.role === other.role && one.step === other.step && one.phone === other.phone
}

export type Wait = { kind: 'clock'; text: string } | { kind: 'words'; hours: number; minutes: number }

/** Below an hour a running clock, `4:32`; from an hour on hours and whole minutes. */
export function waitOf(seconds: number): Wait {
  if (seconds < 3600) return { kind: 'clock', text: formatClock(seconds) }
  const minutes = Math.ceil(seconds / 60)
  return { kind: 'words', hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
