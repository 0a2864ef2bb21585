import { randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { timeSince } from '#server/platform/database/leases.ts'
import type { Retention } from '#server/platform/retention.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { isMail } from '#shared/messages/messages.schemas.ts'
import { createMailing, type Mail } from './mail.worker.ts'
import type { Fault, MessageProvider } from './messages.provider.ts'
import {
  faultRules,
  faultText,
  isOfAccount,
  isWarning,
  messageRules,
  retryDelayMs,
  toldFrom,
} from './messages.rules.ts'
import type { MessagesService, Recipient } from './messages.service.ts'
import type { Job, MessageRow, MessagesStore } from './messages.store.ts'
import { accountText, isTextOf, type MessageFacts, messageText } from './messages.texts.ts'

export interface MessageWorkerDeps extends Pick<Core, 'clock' | 'log' | 'metrics'> {
  readonly store: MessagesStore
  readonly provider: MessageProvider
  readonly messages: MessagesService
  /** What a text names, as it is now; undefined when there is nothing to tell any more. */
  readonly findFacts: (message: MessageRow) => Promise<MessageFacts | undefined>
  /** Who gets it, as known now; undefined where there is none any more. */
  readonly findRecipient: (message: MessageRow) => Promise<Recipient | undefined>
  /** Undefined where no e-mail is sent. */
  readonly mail: Mail | undefined
  /** Whether SMS are sent. */
  readonly isEnabled: boolean
  /** How long a look-up that finds nothing proves nothing. */
  readonly quietMs: number
  /** Messages in any 24 hours. */
  readonly dailyBudget: number
}

/** A text, or why there is none; `overtaken`: what it tells is not so any more. */
type Text =
  | {
      readonly body: string
      /** Whether another text may report the same, written when other words of it were true. */
      readonly isSame?: (text: string) => boolean
    }
  | 'not wanted'
  | 'overtaken'

/** A message with its text, and who gets it. */
interface Written {
  readonly job: Job
  readonly person: Recipient
  readonly isSame: ((text: string) => boolean) | undefined
}

const textsPerBatch = 100

/** Deletes where messages went and what they said, after `keepMs`; what became of them stays. */
export function createTextRetention({
  store,
  keepMs,
}: {
  readonly store: Pick<MessagesStore, 'eraseTexts'>
  readonly keepMs: number
}): Retention {
  return {
    event: 'messages.texts-deleted',
    async batch(now) {
      const rows = await store.eraseTexts(now - keepMs, textsPerBatch)
      return { rows, more: rows === textsPerBatch }
    },
  }
}

/** Nothing wakes the worker: messages are written in the transactions of other features. */
const roundMs = 1_000
const dayMs = 24 * 60 * 60_000
/** The budget is counted anew after this. */
const budgetReadMs = 60_000

/** Sends the outbox; never on the path of a request. */
export function createMessageWorker(deps: MessageWorkerDeps): Worker {
  const { store, provider, messages, isEnabled, quietMs, mail, clock, log, metrics } = deps
  const budget = createBudget(deps)
  metrics.queue('messages', clock, () => store.readBacklog(clock.now()))
  /** No message is sent before: the credentials were refused. */
  let pausedUntil = 0

  const heldOf = ({ message, lease }: Job) => ({ id: message.id, lease })

  const later = (job: Job, ms: number, progress = false) =>
    store.releaseMessage(heldOf(job), job.now() + ms, { progress })

  const soon = (job: Job) => later(job, retryDelayMs(job.message.tries, Math.random()))

  async function drop(job: Job, state: 'failed' | 'dropped', reason: string): Promise<void> {
    if (await store.endMessage(heldOf(job), state, reason, clock.now()))
      messages.outcomes.inc({ outcome: state })
  }

  /** No one wants it. What was asked for again is not gone without a word. */
  const forget = (job: Job): Promise<void> =>
    job.message.event_id !== job.message.reported_event_id
      ? drop(job, 'dropped', 'not wanted')
      : store.deleteUnwritten(heldOf(job))

  const overtake = (job: Job): Promise<void> => drop(job, 'dropped', 'overtaken')

  const sendMail = mail && createMailing({ ...deps, mail }, { heldOf, later, drop, forget, overtake })

  /**
   * The job with a text for who gets it now, and who that is; undefined when there is nothing to send. The message certainly was
   * not sent: where its person has another number by now, the text is written again for that one.
   */
  async function write(job: Job): Promise<Written | undefined> {
    const { message } = job
    const isWritten = message.body !== ''
    const person = await deps.findRecipient(message)
    const text = person ? await textFor(message, person) : 'not wanted'
    if (text === 'overtaken') await (message.kind === 'late' && !isWritten ? forget(job) : overtake(job))
    else if (text === 'not wanted') await (isWritten ? drop(job, 'dropped', text) : forget(job))
    if (!person || typeof text === 'string') return undefined
    // A look-up compares the text, so it stays while the number does.
    if (isWritten && message.phone === person.phone) return { job, person, isSame: text.isSame }
    const written = await store.writeMessage(
      heldOf(job),
      { phone: person.phone, body: text.body },
      message.body,
    )
    return written && { job: { ...job, message: written }, person, isSame: text.isSame }
  }

  async function textFor(message: MessageRow, person: Recipient): Promise<Text> {
    const { kind, order_id: orderId, created_at, body: former } = message
    if (former === '' && !(await messages.isWanted(message, person))) return 'not wanted'
    if (isOfAccount(kind)) return { body: accountText(person.language, kind, created_at) }
    const facts = await deps.findFacts(message)
    if (!facts || isMail(kind)) return 'overtaken'
    // Each event of a bag has a message of its own.
    const reported = message.booking_id > 0 ? await store.listOfBag(message) : []
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
    return { body: messageText(person.language, named), isSame: (text) => isTextOf(text, named) }
  }

  /** Sends a message that waits: after those before it. */
  async function sendWaiting(job: Job): Promise<void> {
    if (isOld(job)) return drop(job, 'dropped', 'too late')
    if (!isWarning(job.message.kind) && (await store.followsAnother(job.message, job.now())))
      return later(job, messageRules.orderPauseMs)
    const restored = isEnabled ? await store.findRestore() : undefined
    if (!restored || job.message.order_id >= restored.first_order) return send(job)
    // It may have been sent after the time that was restored. A push cannot be looked up (docs/wires/push.md W9).
    const written = job.message.body === '' ? await write(job) : { job, isSame: undefined }
    if (written) await lookUp(written.job, restored.since, written.isSame)
  }

  const isOld = ({ message, now }: Job) => now() - toldFrom(message) > messageRules.lifeMs

  /** Sends a message that certainly was not sent. */
  async function send(waiting: Job): Promise<void> {
    if (isOld(waiting)) return drop(waiting, 'dropped', 'too late')
    const written = await write(waiting)
    if (!written) return
    const { job, person } = written
    const isSmsWanted = messages.isReachable(person)
    const push = await sendPush(job, isEnabled && isSmsWanted)
    if (push === 'done') return
    if (push === 'failed' && !(isEnabled && isSmsWanted)) return drop(job, 'failed', 'push')
    if (!isSmsWanted) return drop(job, 'dropped', 'not wanted')
    if (!isEnabled) return later(job, messageRules.offPauseMs)
    await sendSms(job)
  }

  /**
   * Sends a message to the browsers of its user, in place of an SMS. `none`: they have none. `failed`: no browser has it, or
   * that is not known; a push is not repeated then, because it cannot be looked up.
   */
  async function sendPush(job: Job, maySendSms: boolean): Promise<'done' | 'none' | 'failed'> {
    const { message } = job
    if (isWarning(message.kind)) return 'none'
    if (message.push !== null) return 'failed'
    // An SMS that may have been sent is resolved by look-ups alone.
    if (message.state !== 'waiting' || !(await messages.hasBrowser(message))) return 'none'
    // Stored before the services are asked, so that the push of a killed process is not repeated.
    if (!(await store.beginPush(heldOf(job)))) return 'done'
    const answer = await messages.push(message)
    if (answer.result === 'accepted') {
      if (await store.markPushed(heldOf(job), clock.now())) messages.outcomes.inc({ outcome: 'pushed' })
      return 'done'
    }
    const isPatient = !maySendSms || job.now() - toldFrom(message) < messageRules.pushPatienceMs
    if (answer.result === 'later' && isPatient) {
      await store.endPush(heldOf(job), null)
      await later(job, answer.waitMs)
      return 'done'
    }
    if (answer.result === 'none') {
      await store.endPush(heldOf(job), null)
      return 'none'
    }
    // An uncertain one stays `asked`.
    if (answer.result !== 'uncertain') await store.endPush(heldOf(job), 'failed')
    if (answer.result === 'refused') messages.alarm('push', 'push')
    messages.outcomes.inc({ outcome: 'push-failed' })
    return 'failed'
  }

  async function sendSms(job: Job): Promise<void> {
    const { message } = job
    const pauseMs = pausedUntil - elapsedBy(clock)
    if (pauseMs > 0) return later(job, pauseMs)
    if (!(await budget.allows())) return later(job, messageRules.budgetPauseMs)
    // Stored before the provider is asked, so that a killed process is followed by a look-up.
    if (!(await store.beginSend(heldOf(job)))) return
    const answer = await provider.send({
      phone: message.phone,
      body: message.body,
      statusUrl: messages.statusUrlOf(message.id),
    })
    if (answer.outcome === 'accepted') {
      budget.count()
      await messages.take(message.id, answer.report)
      log.info({ event: 'messages.sent', message: message.id, orderId: message.order_id, kind: message.kind })
    } else if (answer.outcome === 'refused') {
      await onRefused(job, answer.fault)
    } else if (answer.isCertain) {
      await store.undoSend(heldOf(job), job.now() + retryDelayMs(message.tries, Math.random()), null)
      messages.outcomes.inc({ outcome: 'unavailable' })
    } else {
      log.warn({ event: 'messages.outcome-unknown', message: message.id, err: answer.cause })
      messages.outcomes.inc({ outcome: 'uncertain' })
      await later(job, Math.min(messageRules.lookUpMs, quietMs))
    }
  }

  /** The provider has not accepted it. */
  async function onRefused(job: Job, fault: Fault): Promise<void> {
    const { message } = job
    const rule = faultRules[fault.reason]
    if ('alarm' in rule) messages.alarm(fault.reason, faultText(fault))
    if (fault.reason === 'account') pausedUntil = elapsedBy(clock) + messageRules.accountPauseMs
    log.warn({ event: 'messages.refused', message: message.id, reason: faultText(fault) })
    if (rule.againMs !== null) {
      await store.undoSend(heldOf(job), job.now() + rule.againMs, faultText(fault))
      messages.outcomes.inc({ outcome: 'refused' })
      return
    }
    await drop(job, 'failed', faultText(fault))
    await messages.refuseSms(message, fault)
  }

  /** After a send whose outcome is not known: never sent again before a look-up has found nothing, `quietMs` later. */
  async function lookUp(job: Job, since: number, isSame?: (text: string) => boolean): Promise<void> {
    const { message } = job
    // Taken before the look-up: the answer may describe the moment of the request.
    const now = job.now()
    const report = await provider.find({
      phone: message.phone,
      body: message.body,
      since,
      except: message.former_ref,
      isSame,
    })
    if (report) {
      messages.outcomes.inc({ outcome: 'found' })
      await messages.take(message.id, report)
      return
    }
    const provenAt = (message.asked_at ?? 0) + quietMs
    if (now < provenAt) return later(job, Math.min(messageRules.lookUpMs, provenAt - now), true)
    if (message.sends >= messageRules.mostSends) {
      messages.alarm('lost', 'lost')
      return drop(job, 'failed', 'never accepted')
    }
    await send(job)
  }

  /** The status callback of an accepted message is missing. */
  async function checkStatus(job: Job): Promise<void> {
    const { message } = job
    const report = await provider.read(message.ref ?? '')
    if (report && (await messages.take(message.id, report))) return
    const nextMs = messageRules.statusChecksMs[message.checks + 1]
    await store.releaseChecked(heldOf(job), nextMs === undefined ? null : job.now() + nextMs)
  }

  /** Where no e-mail is sent, a letter that was written before waits. */
  const withoutMail = (job: Job): Promise<void> =>
    job.message.body === '' ? forget(job) : later(job, messageRules.offPauseMs)

  async function run(job: Job): Promise<void> {
    const { message } = job
    try {
      if (isMail(message.kind)) return await (sendMail ? sendMail(job) : withoutMail(job))
      // These states belong to the SMS service, which is not asked while SMS are switched off.
      if (message.state !== 'waiting' && !isEnabled) return await later(job, messageRules.offPauseMs)
      if (message.state === 'accepted') return await checkStatus(job)
      if (message.state === 'uncertain') return await lookUp(job, message.asked_at ?? 0)
      await sendWaiting(job)
    } catch (error) {
      log.warn({ event: 'messages.try-failed', message: message.id, err: error })
      messages.outcomes.inc({ outcome: 'try-failed' })
      await soon(job)
    }
  }

  return createWorker<Job>({
    name: 'messages',
    claim: async () => {
      const lease = randomUUID()
      const message = await store.leaseMessage(lease)
      return message && { message, lease, now: timeSince(message.claimed_at, clock) }
    },
    run,
    parallel: messageRules.atOnce,
    roundMs,
    log,
  })
}

/** The sends of the last 24 hours, counted once a minute; several gateways may exceed it by a minute's sends. */
function createBudget({ store, messages, dailyBudget, clock }: MessageWorkerDeps) {
  let used = 0
  let readAt = Number.NEGATIVE_INFINITY
  return {
    async allows(): Promise<boolean> {
      const now = elapsedBy(clock)
      if (now - readAt >= budgetReadMs) {
        used = await store.countSends(clock.now() - dayMs)
        readAt = now
      }
      if (used >= dailyBudget * messageRules.budgetWarning) messages.alarm('budget', 'budget')
      return used < dailyBudget
    },
    count(): void {
      used += 1
    },
  }
}
