import type { Core } from '#server/core.ts'
import { outboxRules } from '#server/features/history/outbox.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { isMail } from '#shared/messages/messages.schemas.ts'
import type { MailFile, MailProvider } from './mail.provider.ts'
import { accountLetter, letterOf, mailText, receiverLetter } from './mail.texts.ts'
import type { Fault } from './messages.provider.ts'
import { faultRules, faultText, messageRules, retryDelayMs } from './messages.rules.ts'
import type { MessagesService, Recipient } from './messages.service.ts'
import type { Held, Job, MessageRow, MessagesStore } from './messages.store.ts'
import type { MessageFacts } from './messages.texts.ts'

/** E-mail, and what goes along with it. */
export interface Mail {
  readonly provider: MailProvider
  /** Barcodes of a user's order, as far as they exist. */
  readonly readLabels: (userId: number, awbs: readonly string[]) => Promise<Labels>
  /** Rejects while there is none. */
  readonly readReceipt: (userId: number, orderId: number) => Promise<MailFile>
  /** Of an order's page. */
  readonly urlOf: (orderId: number) => string
  /** Of the page where a new address refuses the account; undefined where the account no longer has the address. */
  readonly openStop: (userId: number, email: string, addedAt: number) => Promise<string | undefined>
  /** After the `@` of a Message-ID. */
  readonly domain: string
}

interface Labels {
  readonly files: readonly MailFile[]
  /** All of them are there. */
  readonly hasBarcode: boolean
}

interface MailingDeps extends Pick<Core, 'clock' | 'log'> {
  readonly store: MessagesStore
  readonly messages: Pick<MessagesService, 'alarm' | 'outcomes' | 'refuseSms' | 'isWarnedBySms'>
  readonly findFacts: (message: MessageRow) => Promise<MessageFacts | undefined>
  readonly findRecipient: (message: MessageRow) => Promise<Recipient | undefined>
  readonly mail: Mail
  readonly quietMs: number
}

/** What the worker of the outbox does with any message. */
interface Steps {
  readonly heldOf: (job: Job) => Held
  readonly later: (job: Job, ms: number) => Promise<void>
  readonly drop: (job: Job, state: 'failed' | 'dropped', reason: string) => Promise<void>
  readonly forget: (job: Job) => Promise<void>
  readonly overtake: (job: Job) => Promise<void>
}

/**
 * Sends letters. A refusal is an answer, and what is refused for now is tried again. After a send without an answer a
 * letter is sent once more, `quietMs` later and with the same Message-ID, which mailboxes show once: SMTP has no look-up
 * (docs/wires/mail.md L6).
 */
export function createMailing(
  { store, messages, findRecipient, mail, ...deps }: MailingDeps,
  { heldOf, later, drop, forget, overtake }: Steps,
) {
  const { clock, log } = deps
  /** No letter is sent before: the server was not reached, or refused our credentials. SMS go on. */
  let pausedUntil = 0

  async function stored(job: Job, phone: string, body: string): Promise<Job | undefined> {
    const written = await store.writeMessage(heldOf(job), { phone, body }, job.message.body)
    return written && { ...job, message: written }
  }

  const textOf = (
    { language }: Recipient,
    { order_id: orderId }: MessageRow,
    { awbs, receiver = null, promised }: MessageFacts,
    hasBarcode: boolean,
  ) => mailText(language, { orderId, awbs, receiver, promised, hasBarcode, url: mail.urlOf(orderId) })

  /** A letter without files; undefined where its order is gone. The link of a new address is made with its letter. */
  async function plainLetterOf(
    { language, email }: Recipient & { readonly email: string },
    message: MessageRow,
  ): Promise<string | undefined> {
    const { kind, order_id: orderId, user_id: userId, created_at: at } = message
    if (!isMail(kind) || kind === 'documents') return undefined
    if (kind === 'receiver-changed-letter') {
      const facts = await deps.findFacts(message)
      const url = mail.urlOf(orderId)
      return facts && receiverLetter(language, { orderId, receiver: facts.receiver ?? null, at, url })
    }
    if (kind !== 'email-added-letter') return accountLetter(language, kind, at)
    const stopUrl = await mail.openStop(userId, email, at)
    return stopUrl === undefined ? undefined : accountLetter(language, kind, at, stopUrl)
  }

  /**
   * The letter with what goes along, or why there is none; `lost`: the lease is. One that certainly was not sent goes to the address
   * that its person has then.
   */
  async function pack(
    job: Job,
  ): Promise<{ to: string; body: string; files: readonly MailFile[] } | 'lost' | 'not wanted' | 'overtaken'> {
    const { message } = job
    const { user_id, order_id, body: former, phone: formerTo, state } = message
    const person = await findRecipient(message)
    const to = person?.email
    const isFixed = state !== 'waiting'
    if (!person || to == null || (isFixed && to !== formerTo)) return 'not wanted'
    let body = former
    let files: readonly MailFile[] = []
    if (message.kind === 'documents') {
      const facts = await deps.findFacts(message)
      if (!facts?.isPaid) return 'overtaken'
      const { files: labels, hasBarcode } = await mail.readLabels(user_id, facts.awbs)
      files = [await mail.readReceipt(user_id, order_id), ...labels]
      // It was written without the barcode that goes along now, or the other way round.
      if (!isFixed) body = textOf(person, message, facts, hasBarcode)
    }
    const isSame = body === former && to === formerTo
    return isSame || (await stored(job, to, body)) ? { to, body, files } : 'lost'
  }

  /** The job with its text; undefined when there is nothing to send now. */
  async function write(job: Job): Promise<Job | undefined> {
    const { message } = job
    if (message.body !== '') return job
    const person = await findRecipient(message)
    const email = person?.email
    const isWarned =
      message.kind === 'receiver-changed-letter' && person !== undefined && messages.isWarnedBySms(person)
    const letter =
      person && email && !isWarned ? await plainLetterOf({ ...person, email }, message) : undefined
    if (email && letter !== undefined) return stored(job, email, letter)
    if (!person || !email || isWarned) {
      await forget(job)
      return undefined
    }
    const facts = message.kind === 'documents' ? await deps.findFacts(message) : undefined
    if (!facts?.isPaid) {
      await overtake(job)
      return undefined
    }
    const { user_id, created_at } = message
    const { hasBarcode } = await mail.readLabels(user_id, facts.awbs)
    if ((facts.awaitsAwb || !hasBarcode) && job.now() - created_at < outboxRules.awbPatienceMs) {
      await later(job, messageRules.awbPauseMs)
      return undefined
    }
    return stored(job, email, textOf(person, message, facts, hasBarcode))
  }

  async function send(job: Job): Promise<void> {
    const { id, order_id, created_at, kind } = job.message
    const letter = await pack(job)
    if (letter === 'lost') return
    if (letter === 'not wanted' || letter === 'overtaken') return drop(job, 'dropped', letter)
    // Stored before the server is asked, so that the letter of a killed process is not taken for unsent.
    if (!(await store.beginSend(heldOf(job)))) return
    const messageId = `<${order_id}.${id}.${created_at}@${mail.domain}>`
    const answer = await mail.provider.send({
      ...letterOf(letter.body),
      to: letter.to,
      files: letter.files,
      messageId,
    })
    if (answer.outcome === 'accepted') {
      if (!(await store.markMailed(heldOf(job), clock.now()))) return
      messages.outcomes.inc({ outcome: 'mailed' })
      log.info({ event: 'messages.sent', message: id, orderId: order_id, kind })
    } else if (answer.outcome === 'refused') {
      await onRefused(job, answer.fault)
    } else {
      pausedUntil = elapsedBy(clock) + messageRules.mailPauseMs
      log.warn({
        event: 'messages.mail-unavailable',
        message: id,
        isCertain: answer.isCertain,
        err: answer.cause,
      })
      messages.outcomes.inc({ outcome: answer.isCertain ? 'unavailable' : 'uncertain' })
      if (!answer.isCertain) return later(job, deps.quietMs)
      await store.undoSend(heldOf(job), job.now() + retryDelayMs(job.message.tries, Math.random()), null)
    }
  }

  async function onRefused(job: Job, fault: Fault): Promise<void> {
    const rule = faultRules[fault.reason]
    const reason = faultText(fault)
    if ('alarm' in rule) messages.alarm(fault.reason, `mail ${reason}`)
    if (fault.reason === 'account') pausedUntil = elapsedBy(clock) + messageRules.accountPauseMs
    log.warn({ event: 'messages.refused', message: job.message.id, reason })
    if (rule.againMs !== null) {
      await store.undoSend(heldOf(job), job.now() + rule.againMs, reason)
      messages.outcomes.inc({ outcome: 'refused' })
      return
    }
    await drop(job, 'failed', reason)
    await messages.refuseSms(job.message, fault)
  }

  return async (job: Job): Promise<void> => {
    const { state, asked_at, sends, created_at } = job.message
    if (job.now() - created_at > messageRules.lifeMs) return drop(job, 'dropped', 'too late')
    const pauseMs = pausedUntil - elapsedBy(clock)
    if (pauseMs > 0) return later(job, pauseMs)
    if (state === 'uncertain') {
      const quietUntil = (asked_at ?? 0) + deps.quietMs
      if (job.now() < quietUntil) return later(job, quietUntil - job.now())
      if (sends >= messageRules.mostSends) {
        messages.alarm('lost', 'mail lost')
        return drop(job, 'failed', 'never accepted')
      }
    }
    const written = await write(job)
    if (written) await send(written)
  }
}
