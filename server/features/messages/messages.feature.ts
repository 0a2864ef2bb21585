import type { Core } from '#server/core.ts'
import { findEvent } from '#server/features/history/history.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { isFailure } from '#server/platform/errors.ts'
import { claimMessageKinds, isForReceiver, type MessageKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { openingOf } from '#shared/partner/hours.rules.ts'
import type { Center } from '#shared/partner/partner.schemas.ts'
import { pages } from '#shared/platform/pages.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import type { MailProvider } from './mail.provider.ts'
import type { Mail } from './mail.worker.ts'
import { isLetterOfAccount, isOfAccount, isWarning, messageRules } from './messages.rules.ts'
import {
  createMessages,
  type MessagesDeps,
  type MessagesService,
  type Recipient,
} from './messages.service.ts'
import { createMessagesStore, type MessageRow, type MessagesStore } from './messages.store.ts'
import type { MessageFacts } from './messages.texts.ts'
import { messagesWebhook } from './messages.webhook.ts'
import { createMessageWorker, createTextRetention } from './messages.worker.ts'

/** Messages: their rows are written with their events (history/outbox.ts), and their texts when they are sent. */
export function registerMessages(core: Core, needed: Pick<MessagesDeps, 'users' | 'push'>): MessagesService {
  const { config, database, retention } = core
  const store = createMessagesStore(database)
  const messages = createMessages({
    ...core,
    store,
    provider: core.providers.messages,
    ...needed,
    isEnabled: config.MESSAGES_ENABLED,
    hasMail: config.SMTP_URL !== undefined,
    publicUrl: config.PUBLIC_URL,
    callbackUrl: config.CALLBACK_URL,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
  })
  core.routes.push((app, scope) => messagesWebhook(app, scope, messages))
  const keepMs = daysMs(retentionDays.messages)
  retention.push(createTextRetention({ ...core, store, keepMs: daysMs(retentionDays.messageTexts) }), {
    event: 'messages.deleted',
    table: 'messages',
    by: 'created_at',
    keepMs,
  })
  return messages
}

interface FactsNeeds {
  readonly orders: {
    readNews(
      kind: MessageKind,
      orderId: number,
      bookingId: number | null,
    ): Promise<
      | (Omit<MessageFacts, 'returned' | 'opening' | 'owner' | 'claim'> & {
          /** Of the branch where the bag is. */
          readonly branchCode: string | null
        })
      | undefined
    >
  }
  readonly payments: {
    readReturned(refundId: number): Promise<NonNullable<MessageFacts['returned']> | undefined>
  }
  readonly claims: {
    /** Of the step of a claim that this event recorded; undefined where it is over, and there is nothing to tell any more. */
    readStep(eventId: number): Promise<MessageFacts['claim']>
    /** Whether the owner has reported a bag as late or lost, and the claim is not closed. */
    isReported(bookingId: number): Promise<boolean>
  }
  readonly partner: {
    /** Rejects where the partner's list is not known. */
    findCenter(code: string): Promise<Pick<Center, 'hours'> | undefined>
  }
}

interface FilesNeeds {
  readonly orders: {
    /** Rejects with a Failure where there is none. */
    readLabel(owner: { readonly role: 'user'; readonly userId: number }, awb: string): Promise<Uint8Array>
  }
  readonly receipts: {
    /** Rejects with a Failure where there is none. */
    readForLetter(userId: number, orderId: number): Promise<Uint8Array>
  }
}

interface SendingNeeds extends FactsNeeds, FilesNeeds {
  readonly messages: MessagesService
  readonly users: Pick<UsersService, 'findRecipient' | 'findRecipientByPhone' | 'openEmailStop'>
  readonly orders: FactsNeeds['orders'] &
    FilesNeeds['orders'] & {
      /** Of a bag; undefined where its owner collects it, or the receiver has no phone. */
      findReceiverPhone(orderId: number, bookingId: number): Promise<string | undefined>
    }
}

type Reported = Pick<MessageRow, 'kind' | 'order_id' | 'booking_id' | 'reported_event_id'>

/** What the text of a message may name, as it is now; undefined when there is nothing to tell any more. */
export function createFactsReader(
  core: Pick<Core, 'database' | 'clock'>,
  { orders, payments, claims, partner }: FactsNeeds,
): (message: Reported) => Promise<MessageFacts | undefined> {
  /** Without the partner's list a message is sent all the same, and says nothing of the hours. */
  const findHours = async (code: string) => (await partner.findCenter(code).catch(() => undefined))?.hours
  return async ({ kind, order_id: orderId, booking_id: bookingId, reported_event_id: eventId }) => {
    const news = await orders.readNews(kind, orderId, bookingId === 0 ? null : bookingId)
    if (!news) return undefined
    // The owner was first, and is answered in the claim.
    if (kind === 'late' && (await claims.isReported(bookingId))) return undefined
    if (claimMessageKinds.some((each) => each === kind)) {
      const claim = await claims.readStep(eventId)
      return claim && { ...news, awaitsAwb: false, returned: null, claim }
    }
    // Sent at once.
    if (kind === 'receiver-changed' || kind === 'receiver-changed-letter')
      return { ...news, awaitsAwb: false, returned: null }
    const refunded = kind === 'wrong-amount' ? await findEvent(core, eventId) : undefined
    const returned =
      refunded?.kind === 'refunded' ? await payments.readReturned(refunded.data.refundId) : undefined
    const hours = news.branchCode === null ? undefined : await findHours(news.branchCode)
    return { ...news, returned: returned ?? null, opening: openingOf(hours, core.clock.now()) }
  }
}

/**
 * Finds who gets a message. What is about the account goes to the number or the address that it had at the event, whether
 * messages about bags are wanted or not. A receiver's number is an owner's word: the language is the owner's, the wishes are
 * those of the number's own account, and a number that refused, or was named often, gets nothing.
 */
export function createRecipientFinder({
  users,
  orders,
  store,
  clock,
}: Pick<SendingNeeds, 'users'> & {
  readonly orders: Pick<SendingNeeds['orders'], 'findReceiverPhone'>
  readonly store: Pick<MessagesStore, 'readReceiverTexts'>
  readonly clock: Clock
}) {
  async function mayTell(
    { user_id, kind, body, phone: former }: MessageRow,
    phone: string,
  ): Promise<boolean> {
    const told = await store.readReceiverTexts(phone, user_id, clock.now() - daysMs(1))
    if (told.isRefused) return false
    // One that is written for the number was within the limits then, and is counted itself now.
    if (kind !== 'receiver-named' || (body !== '' && former === phone)) return true
    // Written for another number, it is one of the owner's.
    const byUser = body === '' ? told.byUser : told.byUser - 1
    return told.toPhone < messageRules.namedPerPhone && byUser < messageRules.namedPerOwner
  }

  return async (message: MessageRow): Promise<Recipient | undefined> => {
    const owner = await users.findRecipient(message.user_id)
    if (owner && isOfAccount(message.kind)) {
      const isSmsRefused = owner.isSmsRefused && owner.phone === message.phone
      return { ...owner, phone: message.phone, isSmsRefused, wantsMessages: true }
    }
    if (owner && isLetterOfAccount(message.kind)) return { ...owner, email: message.phone }
    if (owner && isWarning(message.kind)) return { ...owner, wantsMessages: true }
    if (!owner || !isForReceiver(message.kind)) return owner
    const phone = await orders.findReceiverPhone(message.order_id, message.booking_id)
    // Under the owner's own number the owner's messages are enough.
    if (phone === undefined || phone === owner.phone || !(await mayTell(message, phone))) return undefined
    const { wantsMessages = true, isSmsRefused = false } = (await users.findRecipientByPhone(phone)) ?? {}
    return { ...owner, phone, wantsMessages, isSmsRefused }
  }
}

/** Writes and sends what the outbox holds. */
export function registerSending(core: Core, needed: SendingNeeds): void {
  const { config, database, workers, clock } = core
  const { messages } = needed
  const store = createMessagesStore(database)
  const worker = createMessageWorker({
    ...core,
    store,
    provider: core.providers.messages,
    messages,
    findFacts: createFactsReader(core, needed),
    findRecipient: createRecipientFinder({ ...needed, store, clock }),
    isEnabled: config.MESSAGES_ENABLED,
    mail: mailOf(config, core.providers.mail, needed),
    quietMs: config.limits.messageQuietMs,
    dailyBudget: config.limits.messagesPerDay,
  })
  workers.set('messages', worker)
}

/** Undefined where no e-mail is sent. */
function mailOf(
  { PUBLIC_URL }: Config,
  provider: MailProvider | undefined,
  { orders, receipts, users }: FilesNeeds & Pick<SendingNeeds, 'users'>,
): Mail | undefined {
  if (provider === undefined) return undefined
  return {
    provider,
    urlOf: (orderId) => `${PUBLIC_URL}${pages.order.replace(':id', String(orderId))}`,
    async openStop(userId, email, addedAt) {
      const token = await users.openEmailStop(userId, email, addedAt)
      return token && `${PUBLIC_URL}${pages.emailStop.replace(':token', token)}`
    },
    domain: new URL(PUBLIC_URL).hostname,
    async readLabels(userId, awbs) {
      const labels = await Promise.all(
        awbs.map(async (awb) => {
          const pdf = await orders.readLabel({ role: 'user', userId }, awb).catch(absent)
          return pdf && { name: `${awb}.pdf`, pdf }
        }),
      )
      const files = labels.filter((file) => file !== undefined)
      return { files, hasBarcode: awbs.length > 0 && !labels.includes(undefined) }
    },
    readReceipt: async (userId, orderId) => ({
      name: `${orderNumber(orderId)}.pdf`,
      pdf: await receipts.readForLetter(userId, orderId),
    }),
  }
}

/** An expected failure: there is no such file, or not yet. */
function absent(error: unknown): undefined {
  if (!isFailure(error)) throw error
}
