import { whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import type { DeskOrder } from '#shared/desk-orders/desk-orders.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { worstAlarm } from '../orders/timeline.rules.ts'

/** What can be done about an order, in the order of the menu; after `claim` what is not easily undone. */
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

/** Who may; absent: every role. */
const rolesOf: Partial<Record<Act, readonly StaffRole[]>> = {
  resend: ['support', 'lead'],
  receiver: ['support', 'lead'],
  reissue: ['lead'],
  cancel: ['support', 'lead'],
  refund: ['money', 'lead'],
  'write-off': ['money', 'lead'],
}

/** Why an act is not possible, as the server would say it; a hand-over with its moment. */
export type Hindrance =
  | { readonly why: (typeof whyNot)[keyof typeof whyNot] }
  | { readonly handedOverAt: string }

export interface OfferedAct {
  readonly act: Act
  readonly hindrance?: Hindrance
}

type Facts = Pick<DeskOrder, 'status' | 'transactionId' | 'bookings' | 'payments' | 'timeline'>

const because = (why: keyof typeof whyNot): Hindrance => ({ why: whyNot[why] })

/** The refunds that the provider has not made. */
export const openRefundsOf = ({ payments }: Pick<DeskOrder, 'payments'>) =>
  payments.flatMap(({ refunds }) => refunds).filter(({ state }) => state !== 'done')

/** That a bag was given to the agent, unless it was undone. */
function handOverOf({ timeline }: Pick<Facts, 'timeline'>): Hindrance | undefined {
  const last = timeline.find(({ kind }) => kind === 'handed-over' || kind === 'handed-over-undone')
  return last?.kind === 'handed-over' ? { handedOverAt: last.at } : undefined
}

const given = (order: Facts) =>
  handOverOf(order) ??
  (order.bookings.some(({ state }) => state === 'AT_BRANCH' || state === 'COLLECTED')
    ? because('atBranch')
    : undefined)

const isOver = ({ status }: Facts) => status !== 'PENDING_PAYMENT' && status !== 'PAID'

const ofBags: readonly string[] = ['exception', 'returning', 'contradiction', 'unknown', 'checked']

const hindrances: Readonly<Record<Act, (order: Facts) => Hindrance | undefined>> = {
  inquire: ({ payments }) =>
    payments.some(({ state }) => state !== 'failed') ? undefined : because('neverBrought'),
  // Not `messages`: one that was given up before it was written is not among them.
  resend: ({ timeline }) =>
    timeline.some(({ kind }) => kind === 'message-failed' || kind === 'message-dropped')
      ? undefined
      : because('noMessage'),
  checked: (order) => (hasAlarm(order) ? undefined : because('noAlert')),
  receiver: (order) => {
    if (isOver(order)) return because('ended')
    return order.bookings.some(({ state }) => state === 'AT_BRANCH' || state === 'COLLECTED')
      ? because('atBranch')
      : undefined
  },
  reissue: ({ bookings }) =>
    bookings.some(({ stoppedAt }) => stoppedAt !== null) ? undefined : because('notStopped'),
  claim: ({ status }) => (status === 'PAID' ? undefined : because('notPaid')),
  cancel: (order) => (isOver(order) ? because('ended') : given(order)),
  refund: (order) => {
    if (openRefundsOf(order).length > 0) return because('refundOpen')
    if (order.status === 'REFUNDED') return because('refundDone')
    return order.status === 'PAID' && order.transactionId !== null ? undefined : because('notPaid')
  },
  'write-off': (order) => (openRefundsOf(order).length > 0 ? undefined : because('noRefund')),
}

/** One that a look at the bag ends; another may be worse. A silent bag stays in its list until there is news of it. */
const hasAlarm = ({ timeline, bookings }: Facts): boolean =>
  worstAlarm({ bookings, payments: [], timeline: timeline.filter(({ kind }) => ofBags.includes(kind)) }) !==
  undefined

/** What a person may do; what is not possible now says why. */
export const offeredActs = (order: Facts, roles: readonly StaffRole[]): readonly OfferedAct[] =>
  acts
    .filter((act) => rolesOf[act]?.some((role) => roles.includes(role)) ?? true)
    .map((act) => {
      const hindrance = hindrances[act](order)
      return { act, ...(hindrance && { hindrance }) }
    })
