import type { PushService } from '#server/features/push/push.service.ts'
import type { AccountChange, UsersService } from '#server/features/sessions/sessions.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Core } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { messagesErrors } from '#shared/messages/messages.errors.ts'
import { receiveMessageStatus } from '#shared/messages/messages.operations.ts'
import {
  type ClaimMessageKind,
  isForReceiver,
  isMail,
  type MessageExport,
  type MessageKind,
} from '#shared/messages/messages.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { languages } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { declarativePushMark } from '#shared/push/push.schemas.ts'
import type { DeliveryReport, Fault, MessageProvider } from './messages.provider.ts'
import { faultRules, faultText, mayRetry, messageRules, toldFrom } from './messages.rules.ts'
import type { MessageRow, MessagesStore, NewMessage } from './messages.store.ts'
import { partsOf } from './messages.texts.ts'

/** Who gets a message: its user, or the receiver of the bag, in whose phone the user's is replaced. */
export type Recipient = NonNullable<Awaited<ReturnType<UsersService['findRecipient']>>>

/** Something that happened to an order, to one of its bookings, or to a refund of it. */
export interface Announcement {
  /** The last two are about what is held of a hand-over: it was undone, or no undo is possible any more. */
  readonly kind: MessageKind | 'hand-over-undone' | 'hand-over-final'
  readonly orderId: number
  /** Null when it is about the whole order. */
  readonly bookingId: number | null
  readonly userId: number
  readonly refundId?: number
  /** Epoch milliseconds: not told before. */
  readonly heldUntil?: number
  /** The event of the bag by which it came about: each has a message of its own. */
  readonly eventId?: number
  /** Of `label-issued`: every bag of the order has its airway bill now. */
  readonly completesOrder?: boolean
}

/** A step of a claim. */
export interface ClaimAnnouncement {
  readonly kind: ClaimMessageKind
  readonly userId: number
  readonly orderId: number
  readonly claimId: number
  readonly eventId: number
}

export interface MessagesDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: MessagesStore
  readonly provider: MessageProvider
  readonly users: Pick<UsersService, 'refuseSms' | 'dropEmail' | 'findRecipient'>
  /** Whether e-mail is sent. */
  readonly hasMail: boolean
  /** Whether SMS are sent. */
  readonly isEnabled: boolean
  readonly push: Pick<PushService, 'isOffered' | 'hasBrowser' | 'send'>
  /** Origin of the app, for the page that a notification opens. */
  readonly publicUrl: string
  /** The address under which the provider reaches the gateway, without the path. */
  readonly callbackUrl: string
  readonly allowedCountries: readonly string[] | undefined
}

/** What the desk and operators read and change of an order's messages. */
export type MessageActs = Pick<
  MessagesStore,
  'addMessage' | 'listMessagesOfOrder' | 'resendMessages' | 'hastenMessages'
>

export type MessagesService = ReturnType<typeof createMessages>

/** Exported messages; more are not kept for a user in practice. */
const exportedAtMost = 1_000
const alarmGapMs = 60 * 60_000
const alarmingFaults = Object.entries(faultRules).flatMap(([reason, rule]) =>
  'alarm' in rule ? [reason] : [],
)

type Alarm = ReturnType<typeof createAlarm>

/** An alarm is counted each time, and logged once an hour for each fault: an outage must not fill the log. */
function createAlarm({ clock, log, metrics }: MessagesDeps) {
  const alarms = metrics.counter(
    'amtiati_message_alarms_total',
    'Faults that need an operator, by reason.',
    ['reason'],
    [...alarmingFaults, 'budget', 'lost'].map((reason) => ({ reason })),
  )
  /** When an alarm was last logged, by reason and number. */
  const alarmedAt = new Map<string, number>()
  return (reason: string, detail: string): void => {
    alarms.inc({ reason })
    const now = clock.now()
    if (now - (alarmedAt.get(detail) ?? Number.NEGATIVE_INFINITY) < alarmGapMs) return
    alarmedAt.set(detail, now)
    log.error({ event: 'messages.alarm', reason: detail })
  }
}

/** The declarative form, which Safari shows by itself; other browsers hand it to the worker. */
function notificationOf(
  { body: text, order_id, booking_id, claim_id, event_id, kind }: MessageRow,
  publicUrl: string,
): string {
  const { language, title, body } = partsOf(text)
  return JSON.stringify({
    web_push: declarativePushMark,
    notification: {
      title,
      body,
      lang: language,
      dir: languages[language].direction,
      // A message that arrives twice is shown once.
      tag: `${kind}-${order_id}-${claim_id === 0 ? booking_id : claim_id}${event_id === 0 ? '' : `-${event_id}`}`,
      navigate: `${publicUrl}${pages.order.replace(':id', String(order_id))}`,
    },
  })
}

/** What the provider reports of messages: stored, counted, and with an end to what cannot be sent. */
function createReports({ database, store, users, clock, log, metrics }: MessagesDeps, alarm: Alarm) {
  const outcomes = metrics.counter('amtiati_messages_total', 'Messages by what became of them.', ['outcome'])

  /** Inside a transaction: after these faults the phone gets no further SMS, or the user has no address any more. A receiver's is not the user's. */
  async function refuseSms({ user_id, phone, kind }: MessageRow, { reason }: Fault): Promise<void> {
    if (isForReceiver(kind) || (reason !== 'phone' && reason !== 'opted-out')) return
    if (isMail(kind)) {
      await users.dropEmail(user_id, phone)
      outcomes.inc({ outcome: 'email-dropped' })
      log.warn({ event: 'messages.email-dropped', userId: user_id })
    } else await users.refuseSms(user_id, phone, reason)
  }

  async function applyFailure(
    message: MessageRow,
    { ref, fault = { reason: 'other', code: null } as const }: DeliveryReport,
  ): Promise<boolean> {
    const rule = faultRules[fault.reason]
    const reason = faultText(fault)
    const now = clock.now()
    if (mayRetry(fault, message.retried === 1)) {
      const dueAt = database.now(rule.againMs ?? 0)
      if (await store.markForRetry(message.id, ref, { reason, dueAt, now })) return true
    }
    if (!(await store.markFinal(message.id, ref, { state: 'failed', reason }, now))) return false
    await refuseSms(message, fault)
    return true
  }

  /** Stores a report; false when it says nothing new, or is of another message than the one that counts. */
  function applyReport(id: number, report: DeliveryReport): Promise<boolean> {
    return database.transaction(async () => {
      const message = await store.findMessage(id)
      if (!message) return false
      const { ref, status } = report
      const now = clock.now()
      if (status === 'failed') return applyFailure(message, report)
      if (status === 'delivered') return store.markFinal(id, ref, { state: 'delivered', reason: null }, now)
      return store.markAccepted(id, ref, status, database.now(messageRules.statusChecksMs[0]))
    })
  }

  /** As `applyReport`, counted, and with an alarm where the fault asks for one. */
  async function take(id: number, report: DeliveryReport): Promise<boolean> {
    const isNew = await applyReport(id, report)
    if (!isNew) return false
    outcomes.inc({ outcome: report.status === 'queued' ? 'accepted' : report.status })
    const { fault } = report
    if (fault && 'alarm' in faultRules[fault.reason]) alarm(fault.reason, faultText(fault))
    return true
  }

  return { outcomes, refuseSms, take }
}

/** Who gets an SMS, and how the owner of an order is warned of another receiver. */
function createReach(
  { store, users, hasMail, isEnabled, allowedCountries }: MessagesDeps,
  add: (message: Pick<NewMessage, 'user_id' | 'kind'> & Partial<NewMessage>) => Promise<boolean>,
) {
  /** Whether the user may get an SMS, by phone, country and choice. */
  function isReachable(person: Recipient | undefined): person is Recipient {
    return (
      person?.wantsMessages === true &&
      !person.isSmsRefused &&
      canonicalPhone(person.phone, allowedCountries) === person.phone
    )
  }

  /** How the owner is warned; undefined where neither is possible. */
  async function warningFor(userId: number): Promise<Pick<NewMessage, 'kind' | 'phone'> | undefined> {
    const person = await users.findRecipient(userId)
    if (!person) return undefined
    if (isEnabled && isReachable({ ...person, wantsMessages: true })) return { kind: 'receiver-changed' }
    return hasMail && person.email !== null
      ? { kind: 'receiver-changed-letter', phone: person.email }
      : undefined
  }

  return {
    isReachable,

    /** Whether the owner gets a message about another receiver, by SMS or by letter. */
    canWarn: async (userId: number): Promise<boolean> => (await warningFor(userId)) !== undefined,

    /** Inside a transaction. Each change of a receiver has a message of its own. */
    async warnOwner(userId: number, orderId: number): Promise<void> {
      const warning = await warningFor(userId)
      if (!warning) return
      const refund_id = await store.nextReceiverChange(orderId)
      await add({ ...warning, user_id: userId, order_id: orderId, refund_id })
    },
  }
}

export function createMessages(deps: MessagesDeps) {
  const { database, store, provider, clock, log, metrics } = deps
  const alarm = createAlarm(deps)
  const { outcomes, refuseSms, take } = createReports(deps, alarm)
  const callbacks = metrics.counter('amtiati_message_callbacks_total', 'Status callbacks by outcome.', [
    'outcome',
  ])

  const add = (message: Pick<NewMessage, 'user_id' | 'kind'> & Partial<NewMessage>) =>
    store.addMessage({
      order_id: 0,
      booking_id: 0,
      refund_id: 0,
      held_until: null,
      ...message,
      created_at: clock.now(),
    })

  const { isReachable, canWarn, warnOwner } = createReach(deps, add)

  /** The message waits a while for the airway bills that it names, and the letter for the barcodes that go along. */
  async function announcePaid(user_id: number, order_id: number): Promise<void> {
    if (deps.isEnabled || deps.push.isOffered) {
      const held_until = clock.now() + messageRules.awbPatienceMs
      await add({ user_id, order_id, kind: 'paid', held_until })
    }
    const email = deps.hasMail ? (await deps.users.findRecipient(user_id))?.email : null
    if (email != null) await add({ user_id, order_id, kind: 'documents' })
  }

  /** The airway bills of the whole order stand in the message about its payment, or in one of their own after it. */
  async function announceLabels(user_id: number, order_id: number): Promise<void> {
    const paid = await store.releasePaid(order_id)
    if (paid === 'written') await add({ user_id, order_id, kind: 'label-issued' })
  }

  /** True when a bag has had as many messages of this kind within a day as it may have. */
  async function isSentOften(order_id: number, booking_id: number, kind: MessageKind): Promise<boolean> {
    const since = clock.now() - daysMs(1)
    const rows = await store.listOfBag({ order_id, booking_id, kind })
    return rows.filter(({ created_at }) => created_at > since).length >= messageRules.mostOfBag
  }

  /** A receiver has no browser of ours. */
  const hasBrowser = async ({ user_id, kind }: MessageRow): Promise<boolean> =>
    !isForReceiver(kind) && (await deps.push.hasBrowser(user_id))

  return {
    acts: store as MessageActs,
    take,
    alarm,
    isReachable,
    outcomes,

    /** Where a message of the user went gets no further ones. */
    refuseSms: (message: MessageRow, fault: Fault) => database.transaction(() => refuseSms(message, fault)),

    /**
     * Inside the transaction that makes an event true, so that neither exists without the other: announces a message about
     * it, once. It stores ids and times only, so that no text, name or language can fail that transaction.
     */
    async announce(news: Announcement): Promise<void> {
      database.assertTransaction()
      const { kind, orderId, bookingId, userId, refundId = 0, eventId = 0, heldUntil = null } = news
      if (kind === 'receiver-changed') return warnOwner(userId, orderId)
      if (kind === 'paid') return announcePaid(userId, orderId)
      if (kind === 'label-issued') return news.completesOrder ? announceLabels(userId, orderId) : undefined
      if (kind === 'hand-over-undone') return store.deleteHeld(orderId, bookingId ?? 0)
      if (kind === 'hand-over-final') return store.releaseHeld(orderId, bookingId ?? 0, clock.now())
      if (eventId > 0 && (await isSentOften(orderId, bookingId ?? 0, kind))) return
      const about = {
        user_id: userId,
        order_id: orderId,
        refund_id: refundId,
        event_id: eventId,
        held_until: heldUntil,
      }
      if (deps.isEnabled || (deps.push.isOffered && !isForReceiver(kind)))
        await add({ ...about, kind, booking_id: bookingId ?? 0 })
    },

    canWarn,

    /** Inside the transaction that takes a step of a claim: announces it, once. */
    async announceClaim({ kind, userId, orderId, claimId, eventId }: ClaimAnnouncement): Promise<void> {
      database.assertTransaction()
      if (!deps.isEnabled && !deps.push.isOffered) return
      await add({ user_id: userId, order_id: orderId, claim_id: claimId, event_id: eventId, kind })
    },

    /**
     * Inside the transaction that changes the number or the address of an account: notifies the number and the address
     * that it had before, and a new address. Not by push: who changed it may have turned that on, too.
     */
    async announceChange({ changeId, userId, what, phone, email, added }: AccountChange): Promise<void> {
      database.assertTransaction()
      const about = { user_id: userId, refund_id: changeId }
      const kind = what === 'number-waits' ? what : (`${what}-changed` as const)
      if (deps.isEnabled && phone !== null) await add({ ...about, kind, phone })
      if (deps.hasMail && email !== null) await add({ ...about, kind: `${kind}-letter`, phone: email })
      if (deps.hasMail && added !== undefined)
        await add({ ...about, kind: 'email-added-letter', phone: added })
    },

    /** Whether an announced message is written at all: its person gets SMS, or push messages. */
    isWanted: async (message: MessageRow, person: Recipient | undefined): Promise<boolean> =>
      person !== undefined && ((deps.isEnabled && isReachable(person)) || (await hasBrowser(message))),

    hasBrowser,

    /** Sends a message to the browsers of its user, if there are any. */
    push: (message: MessageRow) =>
      deps.push.send(message.user_id, {
        text: notificationOf(message, deps.publicUrl),
        topic: topicOf(message),
        lifeMs: toldFrom(message) + messageRules.lifeMs - clock.now(),
      }),

    /** Where the provider reports what becomes of a message. */
    statusUrlOf: (id: number) => `${deps.callbackUrl}${receiveMessageStatus.path}?message=${id}.`,

    /**
     * Resolves once the report of a status callback is stored, or says nothing new.
     * @throws Failure MESSAGE_CALLBACK_REFUSED for a wrong signature or an unreadable form.
     */
    async receive(callback: {
      /** With the query. */
      readonly path: string
      readonly messageId: number
      readonly fields: Readonly<Record<string, string>>
      readonly signature: string | undefined
    }): Promise<void> {
      // Of the configuration: a `Host` header is the sender's word.
      const url = `${deps.callbackUrl}${callback.path}`
      const reading = provider.readCallback(url, callback.fields, callback.signature)
      if (reading.outcome !== 'report') {
        callbacks.inc({ outcome: reading.outcome })
        log.warn({ event: 'messages.callback-refused', outcome: reading.outcome })
        throw failure(messagesErrors, 'MESSAGE_CALLBACK_REFUSED')
      }
      const { report } = reading
      const message = await store.findMessage(callback.messageId)
      if (!message) {
        callbacks.inc({ outcome: 'unknown' })
        return
      }
      if (await take(message.id, report)) {
        callbacks.inc({ outcome: 'applied' })
        return
      }
      const isOther = message.ref !== null && message.ref !== report.ref && message.former_ref !== report.ref
      callbacks.inc({ outcome: isOther ? 'second-message' : 'repeated' })
      // A look-up had not found this one, and another was sent.
      if (isOther) log.error({ event: 'messages.sent-twice', message: message.id, orderId: message.order_id })
    },

    /** Inside a transaction: deletes what is stored of a user's messages. */
    eraseUser: store.eraseMessages,

    ...createMessageExports(store),
  }
}

const createMessageExports = (store: Pick<MessagesStore, 'listMessages' | 'listMessagesOfOrder'>) => ({
  /** The newest messages of a user that were written, also where the text is kept no longer. */
  exportMessages: async (userId: number): Promise<MessageExport[]> =>
    exportsOf(await store.listMessages(userId, exportedAtMost)),

  /** The messages about an order that were written, as above, the newest first. */
  exportMessagesOfOrder: async (orderId: number): Promise<MessageExport[]> =>
    exportsOf((await store.listMessagesOfOrder(orderId)).reverse()),
})

/** A browser that was away gets the newest message only: of one bag, and of one claim. */
const topicOf = ({ order_id, booking_id, claim_id }: MessageRow) =>
  claim_id > 0 ? `c${claim_id}` : `o${order_id}-${booking_id}`

function exportsOf(rows: readonly MessageRow[]): MessageExport[] {
  const written = rows.filter(({ body, ended_at }) => body !== '' || ended_at !== null)
  return written.map((row) => ({
    createdAt: isoOf(toldFrom(row)),
    orderId: row.order_id === 0 ? null : row.order_id,
    about: row.kind,
    phone: row.phone,
    text: row.body,
    state: row.state,
    channel: isMail(row.kind) ? 'email' : row.push === 'accepted' ? 'push' : 'sms',
  }))
}
