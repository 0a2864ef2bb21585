import { isMail, type MailKind, type MessageKind, messageKinds } from '#shared/messages/messages.schemas.ts'
import type { DeliveryStatus, Fault, FaultReason } from './messages.provider.ts'

const kindsOfAccount = ['number-changed', 'email-changed', 'number-waits'] as const
export type AccountKind = (typeof kindsOfAccount)[number]
export const isOfAccount = (kind: MessageKind): kind is AccountKind =>
  kindsOfAccount.some((one) => one === kind)

export const isLetterOfAccount = (kind: MessageKind): boolean =>
  isMail(kind) && kind !== 'documents' && kind !== 'receiver-changed-letter'

/**
 * A warning is an SMS and never a push. It is sent even if messages are switched off, and does not wait for earlier
 * messages.
 */
export const isWarning = (kind: MessageKind): boolean => isOfAccount(kind) || kind === 'receiver-changed'

export type OrderKind = Exclude<MessageKind, AccountKind | MailKind>
export const orderKinds = messageKinds.filter(
  (kind): kind is OrderKind => !isMail(kind) && !isOfAccount(kind),
)

/**
 * `uncertain`: the provider's answer is unknown. `accepted`: the provider has the message. `dropped`: the message is
 * unwanted, too late, or made false by a later event.
 */
export const messageStates = ['waiting', 'uncertain', 'accepted', 'delivered', 'failed', 'dropped'] as const
export type MessageState = (typeof messageStates)[number]

/** A push cannot be looked up, so it is not repeated (docs/wires/push.md W9). */
export const pushStates = ['asked', 'accepted', 'failed'] as const
export type PushState = (typeof pushStates)[number]

export const sendableFrom = ({
  created_at,
  held_until,
}: {
  readonly created_at: number
  readonly held_until: number | null
}): number => Math.max(created_at, held_until ?? 0)

const minute = 60_000
const hour = 60 * minute

export const messageRules = {
  leaseMs: minute,
  /**
   * The limit of messages that all gateways send at the same time. At half a second a call, this is enough for 5.4
   * orders/s.
   */
  atOnce: 8,
  lifeMs: 24 * hour,
  /** A message is sent again only if the provider does not find it `messageQuietMs` after the first send. */
  mostSends: 2,
  lookUpMs: 15_000,
  accountPauseMs: 5 * minute,
  mailPauseMs: minute,
  awbPauseMs: 10_000,
  orderPauseMs: 2_000,
  /** While a push service is busy, an SMS replaces a push only after this time. */
  pushPatienceMs: 10 * minute,
  offPauseMs: 15 * minute,
  budgetPauseMs: 15 * minute,
  budgetWarning: 0.8,
  /** In 24 hours, at most this many SMS go to one receiver, and to all receivers of one owner. */
  namedPerPhone: 3,
  namedPerOwner: 10,
  statusChecksMs: [hour, 3 * hour, 12 * hour],
} as const

/** The provider's reports arrive in any order: a report replaces only one of a lower rank. */
export const statusRanks = { queued: 1, sent: 2, delivered: 3, failed: 3 } as const satisfies Record<
  DeliveryStatus,
  number
>
export const finalRank = 3

interface FaultRule {
  readonly againMs: number | null
  readonly alarm?: true
  readonly once?: true
}

/** `againMs` null: the message is not sent again (docs/wires/messages.md M3 and M4). */
export const faultRules = {
  phone: { againMs: null },
  'opted-out': { againMs: null },
  unreachable: { againMs: 30 * minute, once: true },
  account: { againMs: 5 * minute, alarm: true },
  setup: { againMs: hour, alarm: true },
  filtered: { againMs: null, alarm: true },
  busy: { againMs: minute },
  other: { againMs: null, alarm: true },
} as const satisfies Record<FaultReason, FaultRule>

export const isAlarming = ({ reason }: Fault): boolean => 'alarm' in faultRules[reason]

export const alarmReasons: readonly string[] = [
  ...Object.entries(faultRules).flatMap(([reason, rule]) => ('alarm' in rule ? [reason] : [])),
  'budget',
  'lost',
]

export function mayRetry({ reason }: Fault, hasRetried: boolean): boolean {
  return 'once' in faultRules[reason] && !hasRetried
}

export function retryDelayMs(tries: number, random: number): number {
  const base = Math.min(5_000 * 2 ** Math.min(tries - 1, 10), 5 * minute)
  return Math.round(base * (0.75 + random / 2))
}

export function faultText({ reason, code }: Fault): string {
  return code === null ? reason : `${reason} ${code}`
}
