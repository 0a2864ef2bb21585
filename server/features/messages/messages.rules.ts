import { isMail, type MailKind, type MessageKind, messageKinds } from '#shared/messages/messages.schemas.ts'
import type { DeliveryStatus, Fault, FaultReason } from './messages.provider.ts'

/** Kinds about the account, by SMS: sent whether messages about bags are wanted or not. */
const kindsOfAccount = ['number-changed', 'email-changed', 'number-waits'] as const
export type AccountKind = (typeof kindsOfAccount)[number]
export const isOfAccount = (kind: MessageKind): kind is AccountKind =>
  kindsOfAccount.some((one) => one === kind)

/** True for a letter about the account. */
export const isLetterOfAccount = (kind: MessageKind): boolean =>
  isMail(kind) && kind !== 'documents' && kind !== 'receiver-changed-letter'

/**
 * Warnings of the owner go to the number itself: by SMS and not by push, whether messages about bags are wanted or not, and
 * without waiting for an earlier message.
 */
export const isWarning = (kind: MessageKind): boolean => isOfAccount(kind) || kind === 'receiver-changed'

/** Kinds about an order, by push or SMS. */
export type NewsKind = Exclude<MessageKind, AccountKind | MailKind>
export const newsKinds = messageKinds.filter((kind): kind is NewsKind => !isMail(kind) && !isOfAccount(kind))

/**
 * `waiting`: not sent. `uncertain`: the provider was asked, and its answer is not known. `accepted`: the provider has it.
 * `dropped`: no longer wanted, too late, or overtaken by a later step that has made it untrue.
 */
export const messageStates = ['waiting', 'uncertain', 'accepted', 'delivered', 'failed', 'dropped'] as const
export type MessageState = (typeof messageStates)[number]

/**
 * Outcome of a message's push. `asked`: the services were asked, and their answers are not known: a push cannot be looked
 * up, so it is never repeated. `failed`: no browser has it.
 */
export const pushStates = ['asked', 'accepted', 'failed'] as const
export type PushState = (typeof pushStates)[number]

/** Since when a message may be sent, in epoch milliseconds. A message about a late bag waits for its day. */
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
  /** Longer than a send and a look-up can take. */
  leaseMs: minute,
  /** At the provider at once, of all gateways: at half a second a call this carries the peak of 5.4 orders/s. */
  atOnce: 8,
  /** A message that could be sent earlier than this is too late. */
  lifeMs: 24 * hour,
  /** One resend, after look-ups that found nothing until `quietMs` after the first send. */
  mostSends: 2,
  /** Between two look-ups while the outcome of a send is unknown. */
  lookUpMs: 15_000,
  /** While the credentials are refused, nothing is sent. */
  accountPauseMs: 5 * minute,
  /** After a mail server was not reached: its letters wait, and keep no place from SMS. */
  mailPauseMs: minute,
  /** Until the letter about a payment looks for its barcodes again. */
  awbPauseMs: 10_000,
  /** Until a message is tried again that follows another one about its bag. */
  orderPauseMs: 2_000,
  /** As long a push waits for a busy service where an SMS could go out instead. */
  pushPatienceMs: 10 * minute,
  /** While SMS are switched off, for messages that could go by SMS only. */
  offPauseMs: 15 * minute,
  /** While the daily budget is used up. */
  budgetPauseMs: 15 * minute,
  /** From this part of the budget on an operator is warned. */
  budgetWarning: 0.8,
  /** Texts to an unproven number, that it was named for a bag: in any 24 hours, and of one owner's orders. */
  namedPerPhone: 3,
  namedPerOwner: 10,
  /** When the status of an accepted message is asked for, after it was accepted or last asked for. */
  statusChecksMs: [hour, 3 * hour, 12 * hour],
} as const

/** Status reports come in any order: a higher rank replaces a lower one, and the highest is final. */
export const statusRanks = { queued: 1, sent: 2, delivered: 3, failed: 3 } as const satisfies Record<
  DeliveryStatus,
  number
>
export const finalRank = 3

/** How a fault is handled. */
interface FaultRule {
  /** Milliseconds until the message is sent again; null gives it up. */
  readonly againMs: number | null
  /** An operator must act. */
  readonly alarm?: true
  /** Sending again is allowed once only. */
  readonly once?: true
}

/** docs/wires/messages.md M3 and M4. */
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

/** True when an operator must act. */
export const isAlarming = ({ reason }: Fault): boolean => 'alarm' in faultRules[reason]

/** Reasons of alarms whose counters begin at 0. */
export const alarmReasons: readonly string[] = [
  ...Object.entries(faultRules).flatMap(([reason, rule]) => ('alarm' in rule ? [reason] : [])),
  'budget',
  'lost',
]

/** True when a sent message that failed later is sent again. */
export function mayRetry({ reason }: Fault, hasRetried: boolean): boolean {
  return 'once' in faultRules[reason] && !hasRetried
}

/** The pause after a try without an effect: 5 s, doubled with each try, at most 5 minutes, spread by a quarter. */
export function retryDelayMs(tries: number, random: number): number {
  const base = Math.min(5_000 * 2 ** Math.min(tries - 1, 10), 5 * minute)
  return Math.round(base * (0.75 + random / 2))
}

/** The fault as it is stored and shown to operators: `phone 21211`. */
export function faultText({ reason, code }: Fault): string {
  return code === null ? reason : `${reason} ${code}`
}
