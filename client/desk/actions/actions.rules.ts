import type { ParseKeys } from 'i18next'
import type { DeskOrder, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { isForReceiver } from '#shared/messages/messages.rules.ts'
import { whyNot } from '#shared/operators/why-not.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { currency } from '#shared/platform/money.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { isSilent } from '../orders/timeline.rules.ts'

/** The acts on an order, in the order of the menu. The acts after `claim` are hard to undo. */
export const acts = [
  'inquire',
  'resend',
  'checked',
  'receiver',
  'reissue',
  'claim',
  'cancel',
  'refund',
  'write-off',
] as const
export type Act = (typeof acts)[number]

export const isAct = (text: string | null): text is Act => acts.some((act) => act === text)

/** The roles that may do an act. An act without an entry is open to every role. */
const rolesOf: Partial<Record<Act, readonly StaffRole[]>> = {
  resend: ['support', 'lead'],
  receiver: ['support', 'lead'],
  reissue: ['lead'],
  cancel: ['support', 'lead'],
  refund: ['money', 'lead'],
  'write-off': ['money', 'lead'],
}

/** Why an act is not possible: the server's reason, the time of the hand-over, or the roles that may do it. */
export type Hindrance =
  | { why: (typeof whyNot)[keyof typeof whyNot] }
  | { handedOverAt: string }
  | { roles: readonly StaffRole[] }

export interface OfferedAct {
  act: Act
  hindrance?: Hindrance
}

type Facts = Pick<
  DeskOrder,
  'status' | 'transactionId' | 'bookings' | 'payments' | 'timeline' | 'alerts' | 'mayCancel'
>

const because = (why: keyof typeof whyNot): Hindrance => ({ why: whyNot[why] })

/** The refunds that the provider has not made yet. */
export const openRefundsOf = ({ payments }: Pick<DeskOrder, 'payments'>) =>
  payments.flatMap(({ refunds }) => refunds).filter(({ state }) => state !== 'done')

/** The part of the price that a refund returns: the price without the refunds of its transaction that were not written off. */
export function restOf({
  amountHalalas,
  transactionId,
  payments,
}: Pick<DeskOrder, 'amountHalalas' | 'transactionId' | 'payments'>): number {
  return payments
    .flatMap(({ refunds }) => refunds)
    .filter((refund) => refund.transactionId === transactionId && refund.writtenOffAt === undefined)
    .reduce((rest, refund) => rest - refund.amountHalalas, amountHalalas)
}

/** The hand-over of a bag to the agent as a hindrance; `undefined` when there was none or it was undone. */
function handOverOf({ timeline }: Pick<Facts, 'timeline'>): Hindrance | undefined {
  const last = timeline.find(({ kind }) => kind === 'received' || kind === 'undone')
  return last?.kind === 'received' ? { handedOverAt: last.at } : undefined
}

const given = (order: Facts) =>
  handOverOf(order) ??
  (order.bookings.some(({ state }) => state === 'AT_BRANCH' || state === 'COLLECTED')
    ? because('atBranch')
    : undefined)

const messageKinds = ['message-sent', 'message-delivered', 'message-failed', 'message-dropped'] as const

type MessageLine = TimelineLine & { kind: (typeof messageKinds)[number] }

const isOfMessage = (line: TimelineLine): line is MessageLine =>
  messageKinds.some((kind) => kind === line.kind)

/** A message that was sent within this time may still arrive. */
const sentLatelyMs = 10 * 60_000

/**
 * The messages that can be sent again, the newest first. Each one is given by its newest line. A message qualifies when it did
 * not arrive or was sent long ago. The order's `messages` is not used, since it lacks messages dropped before they were written.
 */
export function resendable({ timeline }: Pick<DeskOrder, 'timeline'>, now: number): readonly MessageLine[] {
  const lines = timeline.filter(isOfMessage).filter(({ data }) => data.message !== undefined)
  const idsOf = ({ data: { event } }: TimelineLine) =>
    lines.filter(({ data }) => data.event === event).map(({ data }) => Number(data.message))
  const isLast = (line: TimelineLine) => lines.find(({ data }) => data.message === line.data.message) === line
  const sentAt = (line: TimelineLine) =>
    Date.parse(
      (lines.find(({ kind, data }) => kind === 'message-sent' && data.message === line.data.message) ?? line)
        .at,
    )
  return lines.filter(
    (line) =>
      isLast(line) &&
      line.data.message === Math.max(...idsOf(line)) &&
      (line.kind === 'message-failed' ||
        line.kind === 'message-dropped' ||
        sentAt(line) <= now - sentLatelyMs),
  )
}

/** The last four digits of the number a message would go to now; `undefined` for an e-mail or a deleted owner. */
export function lastFourOf(
  { data }: TimelineLine,
  { user, receiver }: Pick<DeskOrder, 'user' | 'receiver'>,
): string | undefined {
  if (data.channel === 'email') return undefined
  return (isForReceiver(String(data.about)) ? receiver?.phone : user?.phone)?.slice(-4)
}

const isOver = ({ status }: Facts) => status !== 'PENDING_PAYMENT' && status !== 'PAID'

const hindrances: Readonly<Record<Act, (order: Facts, now: number) => Hindrance | undefined>> = {
  inquire: ({ payments }) =>
    payments.some(({ state }) => state !== 'failed') ? undefined : because('neverBrought'),
  resend: (order, now) => (resendable(order, now).length > 0 ? undefined : because('noMessage')),
  checked: (order, now) => (order.alerts.length > 0 || isSilent(order, now) ? undefined : because('noAlert')),
  receiver: (order) => {
    const hasLeft = order.bookings.some(({ state }) => isHandedOver(state))
    if (isOver(order) && !hasLeft) return because('ended')
    return order.bookings.some(({ state }) => state === 'AT_BRANCH' || state === 'COLLECTED')
      ? because('atBranch')
      : undefined
  },
  reissue: ({ bookings }) =>
    bookings.some(({ stoppedAt }) => stoppedAt !== null) ? undefined : because('notStopped'),
  claim: ({ bookings }) =>
    bookings.some(({ state }) => isHandedOver(state)) ? undefined : because('notHandedOver'),
  cancel: (order) => {
    if (isOver(order)) return because('ended')
    return given(order) ?? (order.mayCancel ? undefined : because('notOffered'))
  },
  refund: (order) => {
    if (openRefundsOf(order).length > 0) return because('refundOpen')
    if (order.status === 'REFUNDED') return because('refundDone')
    const isPaid = order.status === 'PAID' || order.status === 'CANCELLED'
    return isPaid && order.transactionId !== null ? undefined : because('notPaid')
  },
  'write-off': (order) => (openRefundsOf(order).length > 0 ? undefined : because('noRefund')),
}

/** All acts; an act that this operator cannot do now has its hindrance. */
export const offeredActs = (order: Facts, own: readonly StaffRole[], now: number): readonly OfferedAct[] =>
  acts.map((act) => {
    const roles = rolesOf[act]
    const hindrance =
      roles === undefined || roles.some((role) => own.includes(role))
        ? hindrances[act](order, now)
        : { roles }
    return { act, ...(hindrance && { hindrance }) }
  })

/** True when the server would require approval of an act now. @param transaction whose refund is written off */
export function needsTwo(
  act: Act,
  order: Pick<DeskOrder, 'alone' | 'amountHalalas' | 'transactionId' | 'payments' | 'status'>,
  transaction?: string,
): boolean {
  const { alone } = order
  const refunds = openRefundsOf(order)
  const refund = refunds.find(({ transactionId }) => transactionId === transaction) ?? refunds[0]
  if (act === 'refund' || (act === 'cancel' && order.status === 'PAID'))
    return restOf(order) > alone.returnHalalas
  if (act === 'write-off')
    return refund !== undefined && (refund.currency !== currency || refund.amountHalalas > alone.halalas)
  return (act === 'receiver' && !alone.receiver) || (act === 'reissue' && !alone.reissue)
}

/** Acts that have another text when they need no approval. */
const withOwnText = ['receiver', 'cancel', 'refund', 'write-off'] as const

/** The key of an act's text. */
export function textOf(act: Act, part: 'hint' | 'what' | 'ok', isTwo: boolean): ParseKeys<'desk-actions'> {
  const alone = isTwo ? undefined : withOwnText.find((each) => each === act)
  return alone === undefined ? `act.${act}.${part}` : `act.${alone}.alone.${part}`
}

/** The act that takes an order off a work list. Claims and approvals are missing: they have their own pages. */
const actOfList: Partial<Record<WorkKind, Act>> = {
  labels: 'reissue',
  refunds: 'write-off',
  payments: 'inquire',
  bags: 'checked',
  messages: 'resend',
}

/** The first possible act among those that take the order off its lists: the one filled button of the page. */
export const firstAct = (
  rows: readonly Pick<WorkRow, 'kind'>[],
  offered: readonly OfferedAct[],
): Act | undefined =>
  rows
    .map(({ kind }) => actOfList[kind])
    .find((act) => offered.some((each) => each.act === act && each.hindrance === undefined))
