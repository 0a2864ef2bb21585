import type { Core } from '#server/core.ts'
import { refuseSms } from '#server/features/users/users.queries.ts'
import { dropEmail } from '#server/features/users/users.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { receiveMessageStatus } from '#shared/messages/messages.api.ts'
import { messagesErrors } from '#shared/messages/messages.errors.ts'
import { isForReceiver } from '#shared/messages/messages.rules.ts'
import { isMail } from '#shared/messages/messages.schemas.ts'
import { drop, type Job } from './message-steps.ts'
import type { DeliveryReport, Fault } from './messages.provider.ts'
import {
  findMessage,
  type MessageRow,
  markAccepted,
  markFinal,
  retryMessage,
  undoSend,
} from './messages.queries.ts'
import { faultRules, faultText, isAlarming, mayRetry, messageRules } from './messages.rules.ts'

const alarmGapMs = 60 * 60_000

/** An outage must not fill the log, so each `detail` is logged at most once an hour. */
export function alarm({ clock, counters, log, sending }: Core, reason: string, detail: string): void {
  counters.messageAlarms.inc({ reason })
  const now = clock.now()
  const loggedAt = sending.alarmedAt.get(detail) ?? Number.NEGATIVE_INFINITY
  if (now - loggedAt < alarmGapMs) return
  sending.alarmedAt.set(detail, now)
  log.error({ event: 'messages.alarm', reason: detail })
}

/** @returns false when the report has nothing new, or is about another send of the message */
export async function takeReport(core: Core, message: MessageRow, report: DeliveryReport): Promise<boolean> {
  const { status, fault } = report
  const isNew = await storeReport(core, message, report)
  if (!isNew) return false
  core.counters.messages.inc({ outcome: status === 'queued' ? 'accepted' : status })
  if (fault && isAlarming(fault)) alarm(core, fault.reason, faultText(fault))
  return true
}

export const statusUrlOf = ({ config }: Core, id: number): string =>
  `${config.CALLBACK_URL}${receiveMessageStatus.path}?message=${id}.`

interface Callback {
  readonly path: string
  readonly messageId: number
  readonly fields: Readonly<Record<string, string>>
  readonly signature: string | undefined
}

/** @throws Failure MESSAGE_CALLBACK_REFUSED for a wrong signature or an unreadable form */
export async function receiveStatus(
  core: Core,
  { path, messageId, fields, signature }: Callback,
): Promise<void> {
  const { config, counters, log, providers } = core
  // The sender of a request chooses its `Host` header, so the signature is checked with the configured address.
  const reading = providers.messages.readCallback(`${config.CALLBACK_URL}${path}`, fields, signature)
  if (reading.outcome !== 'report') {
    counters.messageCallbacks.inc({ outcome: reading.outcome })
    log.warn({ event: 'messages.callback-refused', outcome: reading.outcome })
    throw failure(messagesErrors, 'MESSAGE_CALLBACK_REFUSED')
  }
  const { report } = reading
  const message = await findMessage(core, messageId)
  if (!message) {
    counters.messageCallbacks.inc({ outcome: 'unknown' })
    return
  }
  if (await takeReport(core, message, report)) {
    counters.messageCallbacks.inc({ outcome: 'applied' })
    return
  }
  const isOther = message.ref !== null && message.ref !== report.ref && message.former_ref !== report.ref
  counters.messageCallbacks.inc({ outcome: isOther ? 'second-message' : 'repeated' })
  if (isOther) log.error({ event: 'messages.sent-twice', message: message.id, orderId: message.order_id })
}

function storeReport(core: Core, message: MessageRow, report: DeliveryReport): Promise<boolean> {
  const { id } = message
  const { ref, status } = report
  const { database, clock } = core
  if (status === 'failed') return database.transaction(() => storeFailure(core, message, report))
  if (status === 'delivered')
    return markFinal(core, id, ref, { state: 'delivered', reason: null }, clock.now())
  return markAccepted(core, id, ref, status, database.now(messageRules.statusChecksMs[0]))
}

export async function endRefused(core: Core, job: Job, service: 'sms' | 'mail', fault: Fault): Promise<void> {
  const { clock, counters, log, sending } = core
  const { againMs } = faultRules[fault.reason]
  const reason = faultText(fault)
  if (isAlarming(fault)) alarm(core, fault.reason, service === 'mail' ? `mail ${reason}` : reason)
  if (fault.reason === 'account')
    sending[`${service}PausedUntil`] = elapsedBy(clock) + messageRules.accountPauseMs
  log.warn({ event: 'messages.refused', message: job.message.id, reason })
  if (againMs !== null) {
    await undoSend(core, job, job.now() + againMs, reason)
    counters.messages.inc({ outcome: 'refused' })
    return
  }
  await drop(core, job, 'failed', reason)
  await core.database.transaction(() => refuseContactWithin(core, job.message, fault))
}

/** Needs a transaction. Schedules one more send if that can help. */
async function storeFailure(
  core: Core,
  message: MessageRow,
  { ref, fault = { reason: 'other', code: null } as const }: DeliveryReport,
) {
  const end = { state: 'failed', reason: faultText(fault) } as const
  if (!(await markFinal(core, message.id, ref, end, core.clock.now()))) return false
  if (mayRetry(fault, message.retried === 1))
    await retryMessage(core, message.id, core.database.now(faultRules[fault.reason].againMs ?? 0))
  else await refuseContactWithin(core, message, fault)
  return true
}

/** Needs a transaction. Stops messages to a phone number or address that cannot or must not get them. */
async function refuseContactWithin(core: Core, { user_id, phone, kind }: MessageRow, { reason }: Fault) {
  if (isForReceiver(kind) || (reason !== 'phone' && reason !== 'opted-out')) return
  if (!isMail(kind)) {
    await refuseSms(core, user_id, phone, reason)
    return
  }
  await dropEmail(core, user_id, phone)
  core.afterCommit(() => {
    core.counters.messages.inc({ outcome: 'email-dropped' })
    core.log.warn({ event: 'messages.email-dropped', userId: user_id })
  })
}
