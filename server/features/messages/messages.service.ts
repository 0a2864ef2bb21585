import type { Core } from '#server/core.ts'
import { findEvent } from '#server/features/history/history.ts'
import type { PushService } from '#server/features/push/push.feature.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import { failure } from '#server/platform/errors.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { messagesErrors } from '#shared/messages/messages.errors.ts'
import { receiveMessageStatus } from '#shared/messages/messages.operations.ts'
import {
  claimMessageKinds,
  isForReceiver,
  isMail,
  type MessageExport,
} from '#shared/messages/messages.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { languages } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { declarativePushMark } from '#shared/push/push.schemas.ts'
import type { DeliveryReport, Fault, MessageProvider } from './messages.provider.ts'
import { faultRules, faultText, mayRetry, messageRules, toldFrom } from './messages.rules.ts'
import { type MessageRow, type MessagesStore, retryMessage } from './messages.store.ts'
import { partsOf } from './messages.texts.ts'

/** Other features import this file alone. */
export type { OrderMessage } from './messages.store.ts'

/** Who gets a message: its user, or the receiver of the bag, in whose phone the user's is replaced. */
export type Recipient = NonNullable<Awaited<ReturnType<UsersService['findRecipient']>>>

export interface MessagesDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: MessagesStore
  readonly provider: MessageProvider
  readonly users: Pick<UsersService, 'refuseSms' | 'dropEmail' | 'findRecipient'>
  /** Whether e-mail is sent. */
  readonly hasMail: boolean
  /** Whether SMS are sent. */
  readonly isEnabled: boolean
  readonly push: Pick<PushService, 'hasBrowser' | 'send'>
  /** Origin of the app, for the page that a notification opens. */
  readonly publicUrl: string
  /** The address under which the provider reaches the gateway, without the path. */
  readonly callbackUrl: string
  readonly allowedCountries: readonly string[] | undefined
}

/** What the desk and operators read and change of an order's messages. */
export type MessageActs = Pick<MessagesStore, 'listMessagesOfOrder' | 'resendMessages' | 'hastenMessages'>

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
function notificationOf({ body: text, order_id, event_id, kind }: MessageRow, publicUrl: string): string {
  const { language, title, body } = partsOf(text)
  return JSON.stringify({
    web_push: declarativePushMark,
    notification: {
      title,
      body,
      lang: language,
      dir: languages[language].direction,
      // A message that arrives twice is shown once.
      tag: `${kind}-${event_id}`,
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
    if (!(await store.markFinal(message.id, ref, { state: 'failed', reason }, now))) return false
    if (!mayRetry(fault, message.retried === 1)) await refuseSms(message, fault)
    else {
      const dueAt = database.now(rule.againMs ?? 0)
      await retryMessage(database, message.id, dueAt)
    }
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
function createReach({ users, hasMail, isEnabled, allowedCountries }: MessagesDeps) {
  /** Whether the user may get an SMS, by phone, country and choice. */
  function isReachable(person: Recipient | undefined): person is Recipient {
    return (
      person?.wantsMessages === true &&
      !person.isSmsRefused &&
      canonicalPhone(person.phone, allowedCountries) === person.phone
    )
  }

  /** Whether the owner is warned by SMS. A letter goes only to an owner who is not. */
  const isWarnedBySms = (person: Recipient): boolean =>
    isEnabled && isReachable({ ...person, wantsMessages: true })

  return {
    isReachable,
    isWarnedBySms,

    /** Whether the owner gets a message about another receiver, by SMS or by letter. */
    async canWarn(userId: number): Promise<boolean> {
      const person = await users.findRecipient(userId)
      return person !== undefined && (isWarnedBySms(person) || (hasMail && person.email !== null))
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

  const { isReachable, isWarnedBySms, canWarn } = createReach(deps)

  /** A browser that was away gets the newest message only: of one bag, and of one claim. */
  async function topicOf({ order_id, booking_id, kind, reported_event_id }: MessageRow): Promise<string> {
    const isOfClaim = claimMessageKinds.some((each) => each === kind)
    const claimId = isOfClaim ? (await findEvent(deps, reported_event_id))?.claimId : undefined
    return claimId === undefined ? `o${order_id}-${booking_id}` : `c${claimId}`
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

    canWarn,
    isWarnedBySms,

    /** Whether the text of a message is written at all: its person gets SMS, or push messages. */
    isWanted: async (message: MessageRow, person: Recipient): Promise<boolean> =>
      message.kind === 'receiver-changed'
        ? isWarnedBySms(person)
        : (deps.isEnabled && isReachable(person)) || (await hasBrowser(message)),

    hasBrowser,

    /** Sends a message to the browsers of its user, if there are any. */
    push: async (message: MessageRow) =>
      deps.push.send(message.user_id, {
        text: notificationOf(message, deps.publicUrl),
        topic: await topicOf(message),
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
