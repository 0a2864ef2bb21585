import type { Core } from '#server/core.ts'
import { outboxRules } from '#server/features/history/outbox.ts'
import { readLabel } from '#server/features/order-views/order-views.ts'
import { readReceiptForLetter } from '#server/features/receipts/receipts.ts'
import { openEmailStop } from '#server/features/users/users.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { isFailure } from '#server/platform/errors.ts'
import { isMail } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { pages } from '#shared/platform/pages.ts'
import { renderLetter } from './letter.html.ts'
import { accountLetter, documentsLetter, receiverLetter, storedText } from './letter.texts.ts'
import type { Letter } from './letter.ts'
import type { MailFile, MailProvider, OutgoingMail } from './mail.provider.ts'
import { orderUrlOf, readLetterBags, readMessageFacts } from './message-facts.ts'
import { findMessageRecipient, isWarnedBySms, type Recipient } from './message-recipients.ts'
import { alarm, endRefused } from './message-reports.ts'
import { drop, forget, type Job, overtake, pauseAfterTry, pauseLeft, postpone } from './message-steps.ts'
import { beginSend, type MessageRow, markMailed, undoSend, writeMessage } from './messages.queries.ts'
import { messageRules } from './messages.rules.ts'

interface Packed {
  readonly job: Job
  readonly mail: Omit<OutgoingMail, 'messageId'>
}

interface Composed {
  readonly letter: Letter
  readonly labels: readonly MailFile[]
  /** True while a barcode for the letter does not exist yet. */
  readonly isEarly: boolean
}

/**
 * SMTP cannot be asked whether it has accepted an e-mail. Without an answer, the e-mail is sent once more with the same
 * Message-ID (docs/wires/mail.md L6).
 */
export async function sendLetter(core: Core, provider: MailProvider, job: Job): Promise<void> {
  const { state, asked_at, sends, created_at } = job.message
  if (job.now() - created_at > messageRules.lifeMs) return drop(core, job, 'dropped', 'too late')
  const pauseMs = pauseLeft(core, core.sending.mailPausedUntil)
  if (pauseMs > 0) return postpone(core, job, pauseMs)
  if (state === 'uncertain') {
    const quietUntil = (asked_at ?? 0) + core.config.limits.messageQuietMs
    if (job.now() < quietUntil) return postpone(core, job, quietUntil - job.now())
    if (sends >= messageRules.mostSends) {
      alarm(core, 'lost', 'mail lost')
      return drop(core, job, 'failed', 'never accepted')
    }
  }
  const packed = await pack(core, job)
  if (packed) await send(core, provider, packed)
}

/** The stored text and address of a letter must not change after it was possibly sent. */
async function pack(core: Core, job: Job): Promise<Packed | undefined> {
  const { message } = job
  const { user_id: userId, order_id: orderId, body: former, phone: formerTo, state, kind } = message
  const isNew = former === ''
  const isSettled = state !== 'waiting'
  const person = await findMessageRecipient(core, message)
  const to = person?.email
  if (!person || !to || (isSettled && to !== formerTo)) {
    await (isNew ? forget(core, job) : drop(core, job, 'dropped', 'not wanted'))
    return undefined
  }
  if (isNew && kind === 'receiver-changed-letter' && isWarnedBySms(core, person)) {
    await forget(core, job)
    return undefined
  }
  const composed = await compose(core, person, to, message)
  if (!composed) {
    await overtake(core, job)
    return undefined
  }
  const { letter, labels, isEarly } = composed
  if (isNew && isEarly && job.now() - message.created_at < outboxRules.awbPatienceMs) {
    await postpone(core, job, messageRules.awbPauseMs)
    return undefined
  }
  const body = storedText(letter)
  const isStored = isSettled || (body === former && to === formerTo)
  const stored = isStored ? message : await writeMessage(core, job, { phone: to, body }, former)
  if (!stored) return undefined
  const files =
    kind === 'documents'
      ? [
          { name: `${orderNumber(orderId)}.pdf`, pdf: await readReceiptForLetter(core, userId, orderId) },
          ...labels,
        ]
      : []
  return { job: { ...job, message: stored }, mail: { ...renderLetter(letter), to, files } }
}

/** @returns undefined when a later event has made the letter untrue */
async function compose(
  core: Core,
  person: Recipient,
  to: string,
  message: MessageRow,
): Promise<Composed | undefined> {
  const { kind, order_id: orderId, user_id: userId, created_at: at } = message
  const { language } = person
  if (!isMail(kind)) return undefined
  if (kind === 'documents') return composeDocuments(core, person, message)
  if (kind === 'receiver-changed-letter') {
    const facts = await readMessageFacts(core, message)
    const { receiver = null } = facts ?? {}
    return facts && alone(receiverLetter(language, { orderId, receiver, at, url: orderUrlOf(core, orderId) }))
  }
  if (kind !== 'email-added-letter') return alone(accountLetter(language, kind, at))
  const stopUrl = stopUrlIn(message.body) ?? (await newStopUrl(core, userId, to, at))
  return stopUrl === undefined ? undefined : alone(accountLetter(language, kind, at, stopUrl))
}

const alone = (letter: Letter): Composed => ({ letter, labels: [], isEarly: false })

async function composeDocuments(
  core: Core,
  { language, name }: Recipient,
  message: MessageRow,
): Promise<Composed | undefined> {
  const { user_id: userId, order_id: orderId } = message
  const facts = await readMessageFacts(core, message)
  if (!facts?.isPaid) return undefined
  const bags = await Promise.all(
    (await readLetterBags(core, orderId)).map(async (bag) => {
      const pdf = bag.awb === null ? undefined : await readLabelOf(core, userId, bag.awb)
      return { ...bag, pdf, hasLabel: pdf !== undefined }
    }),
  )
  return {
    letter: documentsLetter(language, { orderId, owner: name, bags, url: orderUrlOf(core, orderId) }),
    labels: bags.flatMap(({ awb, pdf }) => (pdf === undefined ? [] : [{ name: `${awb}.pdf`, pdf }])),
    isEarly: bags.some(({ hasLabel }) => !hasLabel),
  }
}

/** A letter that is sent again must contain the same link. */
const stopUrlIn = (body: string) => /https?:\S+/.exec(body)?.[0]

async function newStopUrl(core: Core, userId: number, email: string, addedAt: number) {
  const token = await openEmailStop(core, userId, email, addedAt)
  return token === undefined
    ? undefined
    : `${core.config.PUBLIC_URL}${pages.emailStop.replace(':token', token)}`
}

async function send(core: Core, provider: MailProvider, { job, mail }: Packed) {
  const { counters, log } = core
  const { id, order_id, created_at, kind } = job.message
  // The send is stored before the mail server is called: after a crash, the e-mail must not count as unsent.
  if (!(await beginSend(core, job))) return
  const answer = await provider.send({
    ...mail,
    messageId: `<${order_id}.${id}.${created_at}@${new URL(core.config.PUBLIC_URL).hostname}>`,
  })
  if (answer.outcome === 'accepted') {
    if (!(await markMailed(core, job, core.clock.now()))) return
    counters.messages.inc({ outcome: 'mailed' })
    log.info({ event: 'messages.sent', message: id, orderId: order_id, kind })
  } else if (answer.outcome === 'refused') {
    await endRefused(core, job, 'mail', answer.fault)
  } else {
    const { isCertain, cause } = answer
    core.sending.mailPausedUntil = elapsedBy(core.clock) + messageRules.mailPauseMs
    log.warn({ event: 'messages.mail-unavailable', message: id, isCertain, err: cause })
    counters.messages.inc({ outcome: isCertain ? 'unavailable' : 'uncertain' })
    if (!isCertain) return postpone(core, job, core.config.limits.messageQuietMs)
    await undoSend(core, job, job.now() + pauseAfterTry(core, job), null)
  }
}

async function readLabelOf(core: Core, userId: number, awb: string): Promise<Uint8Array | undefined> {
  try {
    return await readLabel(core, { role: 'user', userId }, awb)
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}
