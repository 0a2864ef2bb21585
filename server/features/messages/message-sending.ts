import type { Core } from '#server/core.ts'
import { findEvent } from '#server/features/history/history.ts'
import { sendPush } from '#server/features/push/push.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { claimMessageKinds, isMail } from '#shared/messages/messages.schemas.ts'
import { sendLetter } from './letter-sending.ts'
import { orderUrlOf, readMessageFacts } from './message-facts.ts'
import {
  findMessageRecipient,
  isPushed,
  isReachable,
  isWanted,
  type Recipient,
} from './message-recipients.ts'
import { alarm, endRefused, statusUrlOf, takeReport } from './message-reports.ts'
import { drop, forget, type Job, overtake, pauseAfterTry, pauseLeft, postpone } from './message-steps.ts'
import {
  beginPush,
  beginSend,
  countSends,
  endPush,
  findRestore,
  followsAnother,
  listMessagesOfBag,
  type MessageRow,
  markPushed,
  releaseChecked,
  undoSend,
  writeMessage,
} from './messages.queries.ts'
import { isOfAccount, isWarning, messageRules, sendableFrom } from './messages.rules.ts'
import { accountText, isTextOf, messageText } from './messages.texts.ts'
import { notificationOf, topicOf } from './notification.ts'

type Text =
  | {
      readonly body: string
      readonly isSame?: (text: string) => boolean
    }
  | 'not wanted'
  | 'overtaken'

interface Written {
  readonly job: Job
  readonly person: Recipient
  readonly isSame: ((text: string) => boolean) | undefined
}

const dayMs = 24 * 60 * 60_000
const budgetReadMs = 60_000

export async function sendMessage(core: Core, job: Job): Promise<void> {
  const { message } = job
  const isSmsOn = core.config.MESSAGES_ENABLED
  try {
    if (isMail(message.kind))
      return await (core.providers.mail ? sendLetter(core, core.providers.mail, job) : withoutMail(core, job))
    if (message.state !== 'waiting' && !isSmsOn) return await postpone(core, job, messageRules.offPauseMs)
    if (message.state === 'accepted') return await checkStatus(core, job)
    if (message.state === 'uncertain') return await lookUp(core, job, message.asked_at ?? 0)
    await sendWaiting(core, job)
  } catch (error) {
    core.log.warn({ event: 'messages.try-failed', message: message.id, err: error })
    core.counters.messages.inc({ outcome: 'try-failed' })
    await postpone(core, job, pauseAfterTry(core, job))
  }
}

const withoutMail = (core: Core, job: Job) =>
  job.message.body === '' ? forget(core, job) : postpone(core, job, messageRules.offPauseMs)

async function checkStatus(core: Core, job: Job) {
  const { message } = job
  const report = await core.providers.messages.read(message.ref ?? '')
  if (report && (await takeReport(core, message, report))) return
  const nextMs = messageRules.statusChecksMs[message.checks + 1]
  await releaseChecked(core, job, nextMs === undefined ? null : job.now() + nextMs)
}

/** Sends the message again only if a look-up `messageQuietMs` after the last send finds nothing. */
async function lookUp(core: Core, job: Job, since: number, isSame?: (text: string) => boolean) {
  const { message } = job
  // The provider's answer can be as old as the request, so the time is read before it.
  const now = job.now()
  const report = await core.providers.messages.find({
    phone: message.phone,
    body: message.body,
    since,
    except: message.former_ref,
    isSame,
  })
  if (report) {
    core.counters.messages.inc({ outcome: 'found' })
    await takeReport(core, message, report)
    return
  }
  const provenAt = (message.asked_at ?? 0) + core.config.limits.messageQuietMs
  if (now < provenAt) return postpone(core, job, Math.min(messageRules.lookUpMs, provenAt - now), true)
  if (message.sends >= messageRules.mostSends) {
    alarm(core, 'lost', 'lost')
    return drop(core, job, 'failed', 'never accepted')
  }
  await send(core, job)
}

async function sendWaiting(core: Core, job: Job) {
  const { message } = job
  if (isOld(job)) return drop(core, job, 'dropped', 'too late')
  const [follows, restored] = await core.database.together(() =>
    Promise.all([
      isWarning(message.kind) ? false : followsAnother(core, message, job.now()),
      core.config.MESSAGES_ENABLED ? findRestore(core) : undefined,
    ]),
  )
  if (follows) return postpone(core, job, messageRules.orderPauseMs)
  if (!restored || message.order_id >= restored.first_order) return send(core, job)
  // A restored backup lacks the newest sends, so the provider is asked for the SMS first.
  const written = message.body === '' ? await write(core, job) : { job, isSame: undefined }
  if (written) await lookUp(core, written.job, restored.since, written.isSame)
}

const isOld = ({ message, now }: Job) => now() - sendableFrom(message) > messageRules.lifeMs

async function send(core: Core, waiting: Job) {
  if (isOld(waiting)) return drop(core, waiting, 'dropped', 'too late')
  const written = await write(core, waiting)
  if (!written) return
  const { job, person } = written
  const isSmsOn = core.config.MESSAGES_ENABLED
  const isSmsWanted = isReachable(core, person)
  const push = await tryPush(core, job, isSmsOn && isSmsWanted)
  if (push === 'done') return
  if (push === 'failed' && !(isSmsOn && isSmsWanted)) return drop(core, job, 'failed', 'push')
  if (!isSmsWanted) return drop(core, job, 'dropped', 'not wanted')
  if (!isSmsOn) return postpone(core, job, messageRules.offPauseMs)
  await sendSms(core, job)
}

/** Call it only for a message that was certainly not sent. */
async function write(core: Core, job: Job): Promise<Written | undefined> {
  const { message } = job
  const isWritten = message.body !== ''
  const person = await findMessageRecipient(core, message)
  const text = person ? await textFor(core, message, person) : 'not wanted'
  if (text === 'overtaken')
    await (message.kind === 'late' && !isWritten ? forget(core, job) : overtake(core, job))
  else if (text === 'not wanted') await (isWritten ? drop(core, job, 'dropped', text) : forget(core, job))
  if (!person || typeof text === 'string') return undefined
  const { body, isSame } = text
  // A look-up finds an SMS only by the same phone number and text, so the text must stay.
  if (isWritten && message.phone === person.phone) return { job, person, isSame }
  const written = await writeMessage(core, job, { phone: person.phone, body }, message.body)
  return written && { job: { ...job, message: written }, person, isSame }
}

async function textFor(core: Core, message: MessageRow, person: Recipient): Promise<Text> {
  const { kind, order_id: orderId, created_at, body: former } = message
  if (former === '' && !(await isWanted(core, message, person))) return 'not wanted'
  if (isOfAccount(kind)) return { body: accountText(person.language, kind, created_at) }
  const facts = await readMessageFacts(core, message)
  if (!facts || isMail(kind)) return 'overtaken'
  const reported = message.booking_id > 0 ? await listMessagesOfBag(core, message) : []
  if (reported.some((each) => each.reported_event_id > message.reported_event_id)) return 'overtaken'
  const isRepeated = reported.some((each) => each.reported_event_id < message.reported_event_id)
  const named = {
    ...facts,
    repeatedAt: isRepeated ? created_at : null,
    owner: person.name,
    at: created_at,
    kind,
    orderId,
  }
  return {
    body: messageText(person.language, named),
    isSame: (text) => isTextOf(text, named),
  }
}

/** @returns `none` when no push was possible; `failed` when no browser got it or the outcome is unknown */
async function tryPush(core: Core, job: Job, maySendSms: boolean): Promise<'done' | 'none' | 'failed'> {
  const { message } = job
  if (isWarning(message.kind)) return 'none'
  if (message.push !== null) return 'failed'
  // The SMS was possibly sent, so no push follows.
  if (message.state !== 'waiting' || !(await isPushed(core, message))) return 'none'
  // The push is stored before it is sent, so that it is not repeated after a crash.
  if (!(await beginPush(core, job))) return 'done'
  const answer = await push(core, message)
  if (answer.result === 'accepted') {
    if (await markPushed(core, job, core.clock.now())) core.counters.messages.inc({ outcome: 'pushed' })
    return 'done'
  }
  const isPatient = !maySendSms || job.now() - sendableFrom(message) < messageRules.pushPatienceMs
  if (answer.result === 'later' && isPatient) {
    await endPush(core, job, null)
    await postpone(core, job, answer.waitMs)
    return 'done'
  }
  if (answer.result === 'none') {
    await endPush(core, job, null)
    return 'none'
  }
  if (answer.result !== 'uncertain') await endPush(core, job, 'failed')
  if (answer.result === 'refused') alarm(core, 'push', 'push')
  core.counters.messages.inc({ outcome: 'push-failed' })
  return 'failed'
}

async function push(core: Core, message: MessageRow) {
  const isOfClaim = claimMessageKinds.some((each) => each === message.kind)
  const event = isOfClaim ? await findEvent(core, message.reported_event_id) : undefined
  return sendPush(core, message.user_id, {
    text: notificationOf(message, orderUrlOf(core, message.order_id)),
    topic: topicOf(message, event?.claimId),
    lifeMs: sendableFrom(message) + messageRules.lifeMs - core.clock.now(),
  })
}

async function sendSms(core: Core, job: Job) {
  const { message } = job
  const { counters, log, sending } = core
  const pauseMs = pauseLeft(core, sending.smsPausedUntil)
  if (pauseMs > 0) return postpone(core, job, pauseMs)
  if (!(await isWithinBudget(core))) return postpone(core, job, messageRules.budgetPauseMs)
  // The send is stored before the provider is called, so that it is looked up after a crash.
  if (!(await beginSend(core, job))) return
  const answer = await core.providers.messages.send({
    phone: message.phone,
    body: message.body,
    statusUrl: statusUrlOf(core, message.id),
  })
  if (answer.outcome === 'accepted') {
    sending.budgetUsed += 1
    await takeReport(core, message, answer.report)
    log.info({ event: 'messages.sent', message: message.id, orderId: message.order_id, kind: message.kind })
  } else if (answer.outcome === 'refused') {
    await endRefused(core, job, 'sms', answer.fault)
  } else if (answer.isCertain) {
    await undoSend(core, job, job.now() + pauseAfterTry(core, job), null)
    counters.messages.inc({ outcome: 'unavailable' })
  } else {
    log.warn({ event: 'messages.outcome-unknown', message: message.id, err: answer.cause })
    counters.messages.inc({ outcome: 'uncertain' })
    await postpone(core, job, Math.min(messageRules.lookUpMs, core.config.limits.messageQuietMs))
  }
}

/** Each gateway counts once a minute, so several gateways can exceed the budget a little. */
async function isWithinBudget(core: Core) {
  const { clock, config, sending } = core
  const now = elapsedBy(clock)
  if (now - sending.budgetReadAt >= budgetReadMs) {
    sending.budgetUsed = await countSends(core, clock.now() - dayMs)
    sending.budgetReadAt = now
  }
  if (sending.budgetUsed >= config.limits.messagesPerDay * messageRules.budgetWarning)
    alarm(core, 'budget', 'budget')
  return sending.budgetUsed < config.limits.messagesPerDay
}
