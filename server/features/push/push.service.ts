import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { pushErrors } from '#shared/push/push.errors.ts'
import type { PushSubscriptionBody, PushSubscriptionExport } from '#shared/push/push.schemas.ts'
import type { PushMessage, PushProvider } from './push.provider.ts'
import {
  isPoint,
  type PushOutcome,
  type PushResult,
  pushRules,
  readEndpoint,
  resultOf,
} from './push.rules.ts'
import type { PushStore, SubscriptionRow } from './push.store.ts'

export interface PushDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: PushStore
  /** Undefined where no push messages are sent. */
  readonly sender: { readonly provider: PushProvider; readonly publicKey: string } | undefined
}

/** Exported subscriptions; a user has fewer. */
const exportedAtMost = 100

export type PushService = ReturnType<typeof createPush>

export function createPush(deps: PushDeps) {
  const { database, store, sender, clock, log } = deps
  const subscribes = createCallLimit<number>(pushRules.subscribes, clock)
  const outcomes = deps.metrics.counter(
    'amtiati_push_messages_total',
    'Push messages to browsers by outcome.',
    ['outcome'],
  )

  /** @throws Failure PUSH_ENDPOINT_REFUSED. */
  function knownEndpoint(endpoint: string): string {
    const known = readEndpoint(endpoint)
    if (!known) {
      log.warn({ event: 'push.endpoint-refused', host: URL.parse(endpoint)?.host })
      throw failure(pushErrors, 'PUSH_ENDPOINT_REFUSED')
    }
    return known.url
  }

  /** Subscriptions that can be sent to: those made with another key of the gateway are refused by the services. */
  async function listLive(userId: number): Promise<SubscriptionRow[]> {
    if (!sender) return []
    const rows = await store.listSubscriptions(userId, pushRules.mostSubscriptions)
    return rows.filter((row) => row.server_key === sender.publicKey)
  }

  async function sendTo(provider: PushProvider, row: SubscriptionRow, message: PushMessage) {
    const answer: PushOutcome = await provider.send(row, message)
    outcomes.inc({ outcome: answer.outcome })
    if (answer.outcome === 'gone') await store.deleteSubscription(row.user_id, row.endpoint)
    if (answer.outcome === 'refused' || answer.outcome === 'too-long')
      log.warn({
        event: 'push.refused',
        outcome: answer.outcome,
        service: readEndpoint(row.endpoint)?.service,
      })
    return answer
  }

  return {
    isOffered: sender !== undefined,
    /** With which browsers subscribe; null where no push messages are sent. */
    publicKey: sender?.publicKey ?? null,

    /** Whether the browser of a session gets push messages. */
    async isOn(token: string | undefined): Promise<boolean> {
      return sender && token ? store.hasSubscription(hashOf(token), sender.publicKey) : false
    },

    /**
     * Sends messages to a browser until its session ends.
     * @throws Failure PUSH_NOT_OFFERED, PUSH_ENDPOINT_REFUSED, PUSH_ENDPOINT_TAKEN (known with other keys),
     * INVALID_REQUEST (a key that is no key), TOO_MANY_CALLS.
     */
    async subscribe(
      userId: number,
      token: string | undefined,
      { endpoint: given, p256dh, auth }: PushSubscriptionBody,
    ): Promise<void> {
      if (!sender) throw failure(pushErrors, 'PUSH_NOT_OFFERED')
      countCall(subscribes, userId)
      const endpoint = knownEndpoint(given)
      if (!isPoint(p256dh)) throw failure(platformErrors, 'INVALID_REQUEST')
      const sessionHash = hashOf(token ?? '')
      await database.transaction(async () => {
        const isSaved = await store.saveSubscription({
          endpoint,
          user_id: userId,
          session_hash: sessionHash,
          p256dh,
          auth,
          server_key: sender.publicKey,
          created_at: clock.now(),
        })
        if (!isSaved) throw failure(pushErrors, 'PUSH_ENDPOINT_TAKEN')
        // A browser has one.
        await store.deleteOfSession(sessionHash, endpoint)
        const rows = await store.listSubscriptions(userId, exportedAtMost)
        for (const row of rows.slice(pushRules.mostSubscriptions))
          await store.deleteSubscription(userId, row.endpoint)
      })
      log.info({ event: 'push.subscribed', userId })
    },

    /** The browser of a session gets no more messages. @throws Failure PUSH_NOT_OFFERED. */
    async unsubscribe(token: string | undefined): Promise<void> {
      if (!sender) throw failure(pushErrors, 'PUSH_NOT_OFFERED')
      await store.deleteOfSession(hashOf(token ?? ''))
    },

    /** Whether a message can reach the user by push. */
    hasBrowser: async (userId: number): Promise<boolean> => (await listLive(userId)).length > 0,

    /**
     * Sends a message to every browser of the user. Subscriptions that the services do not know any more are deleted.
     * Never throws for what the services do.
     */
    async send(userId: number, message: PushMessage): Promise<PushResult> {
      if (Buffer.byteLength(message.text) > pushRules.mostBytes) {
        log.error({ event: 'push.too-long', bytes: Buffer.byteLength(message.text) })
        return { result: 'refused' }
      }
      const rows = await listLive(userId)
      return resultOf(
        sender ? await Promise.all(rows.map((row) => sendTo(sender.provider, row, message))) : [],
      )
    },

    async exportSubscriptions(userId: number): Promise<PushSubscriptionExport[]> {
      const rows = await store.listSubscriptions(userId, exportedAtMost)
      return rows.map(({ endpoint, created_at }) => ({ createdAt: isoOf(created_at), endpoint }))
    },
  }
}
