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
import type { MailFile, MailProvider } from './mail.provider.ts'
import { accountLetter, letterOf, mailText, receiverLetter } from './mail.texts.ts'
import { orderUrlOf, readMessageFacts } from './message-facts.ts'
import { findMessageRecipient, isWarnedBySms, type Recipient } from './message-recipients.ts'
import { alarm, endRefused } from './message-reports.ts'
import { drop, forget, type Job, overtake, pauseAfterTry, pauseLeft, postpone } from './message-steps.ts'
import { beginSend, type MessageRow, markMailed, undoSend, writeMessage } from './messages.queries.ts'
import { messageRules } from './messages.rules.ts'
import type { MessageFacts } from './messages.texts.ts'

interface Labels {
  readonly files: readonly MailFile[]
  readonly hasBarcode: boolean
}

interface Packed {
  readonly to: string
  readonly body: string
  readonly files: readonly MailFile[]
}

/**
 * A temporary refusal is retried. When the mail server does not answer, the e-mail is sent once more, `messageQuietMs`
 * later with the same Message-ID, which mailboxes show once: SMTP has no look-up (docs/wires/mail.md L6).
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
  const written = await write(core, job)
  if (written) await send(core, provider, written)
}

async function write(core: Core, job: Job): Promise<Job | undefined> {
  const { message } = job
  if (message.body !== '') return job
  const person = await findMessageRecipient(core, message)
  const email = person?.email
  const isWarned =
    message.kind === 'receiver-changed-letter' && person !== undefined && isWarnedBySms(core, person)
  if (!person || !email || isWarned) {
    await forget(core, job)
    return undefined
  }
  const letter = await plainLetterOf(core, { ...person, email }, message)
  if (letter !== undefined) return store(core, job, email, letter)
  const facts = message.kind === 'documents' ? await readMessageFacts(core, message) : undefined
  if (!facts?.isPaid) {
    await overtake(core, job)
    return undefined
  }
  const { user_id, created_at } = message
  const { hasBarcode } = await readLabels(core, user_id, facts.awbs)
  if ((facts.awaitsAwb || !hasBarcode) && job.now() - created_at < outboxRules.awbPatienceMs) {
    await postpone(core, job, messageRules.awbPauseMs)
    return undefined
  }
  return store(core, job, email, documentsLetter(core, person, message, facts, hasBarcode))
}

/**
 * The text of a letter without attachments. The letter to a new address has a link with which its reader refuses the account.
 * @returns undefined for a message of the kind `documents`, and when a later event has made the text untrue
 */
async function plainLetterOf(
  core: Core,
  { language, email }: Recipient & { readonly email: string },
  message: MessageRow,
) {
  const { kind, order_id: orderId, user_id: userId, created_at: at } = message
  if (!isMail(kind) || kind === 'documents') return undefined
  if (kind === 'receiver-changed-letter') {
    const facts = await readMessageFacts(core, message)
    if (!facts) return undefined
    return receiverLetter(language, {
      orderId,
      receiver: facts.receiver ?? null,
      at,
      url: orderUrlOf(core, orderId),
    })
  }
  if (kind !== 'email-added-letter') return accountLetter(language, kind, at)
  const token = await openEmailStop(core, userId, email, at)
  if (token === undefined) return undefined
  return accountLetter(
    language,
    kind,
    at,
    `${core.config.PUBLIC_URL}${pages.emailStop.replace(':token', token)}`,
  )
}

const documentsLetter = (
  core: Core,
  { language }: Recipient,
  { order_id: orderId }: MessageRow,
  { awbs, receiver = null, promised }: MessageFacts,
  hasBarcode: boolean,
) =>
  mailText(language, {
    orderId,
    awbs,
    receiver,
    promised,
    hasBarcode,
    url: orderUrlOf(core, orderId),
  })

async function store(core: Core, job: Job, phone: string, body: string): Promise<Job | undefined> {
  const written = await writeMessage(core, job, { phone, body }, job.message.body)
  return written && { ...job, message: written }
}

async function send(core: Core, provider: MailProvider, job: Job) {
  const { counters, log } = core
  const { id, order_id, created_at, kind } = job.message
  const letter = await pack(core, job)
  if (letter === 'lost') return
  if (letter === 'not wanted' || letter === 'overtaken') return drop(core, job, 'dropped', letter)
  // The send is stored before the mail server is called: after a crash, the e-mail must not count as unsent.
  if (!(await beginSend(core, job))) return
  const answer = await provider.send({
    ...letterOf(letter.body),
    to: letter.to,
    files: letter.files,
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

/**
 * An e-mail that was certainly not sent goes to the recipient's present address.
 * @returns the e-mail with its files, or the reason to send none (`lost`: the lease was lost)
 */
async function pack(core: Core, job: Job): Promise<Packed | 'lost' | 'not wanted' | 'overtaken'> {
  const { message } = job
  const { user_id, order_id, body: former, phone: formerTo, state } = message
  const person = await findMessageRecipient(core, message)
  const to = person?.email
  const isFixed = state !== 'waiting'
  if (!person || to == null || (isFixed && to !== formerTo)) return 'not wanted'
  let body = former
  let files: readonly MailFile[] = []
  if (message.kind === 'documents') {
    const facts = await readMessageFacts(core, message)
    if (!facts?.isPaid) return 'overtaken'
    const { files: labels, hasBarcode } = await readLabels(core, user_id, facts.awbs)
    const pdf = await readReceiptForLetter(core, user_id, order_id)
    files = [{ name: `${orderNumber(order_id)}.pdf`, pdf }, ...labels]
    if (!isFixed) body = documentsLetter(core, person, message, facts, hasBarcode)
  }
  const isSame = body === former && to === formerTo
  return isSame || (await store(core, job, to, body)) ? { to, body, files } : 'lost'
}

async function readLabels(core: Core, userId: number, awbs: readonly string[]): Promise<Labels> {
  const labels = await Promise.all(
    awbs.map(async (awb) => {
      const pdf = await readLabel(core, { role: 'user', userId }, awb).catch(absent)
      return pdf && { name: `${awb}.pdf`, pdf }
    }),
  )
  return {
    files: labels.filter((file) => file !== undefined),
    hasBarcode: awbs.length > 0 && !labels.includes(undefined),
  }
}

function absent(error: unknown): undefined {
  if (!isFailure(error)) throw error
}
