import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { pushErrors } from '#shared/push/push.errors.ts'
import type { PushSubscriptionBody, PushSubscriptionExport } from '#shared/push/push.schemas.ts'
import type { PushMessage, PushProvider } from './push.provider.ts'
import {
  deleteSubscription,
  deleteSubscriptionsOfSession,
  hasSubscription,
  listSubscriptions,
  type SubscriptionRow,
  saveSubscription,
} from './push.queries.ts'
import {
  isPoint,
  type PushOutcome,
  type PushResult,
  pushRules,
  readEndpoint,
  resultOf,
} from './push.rules.ts'

const exportedAtMost = 100

const subscribes = {
  name: 'push.subscribes',
  limits: pushRules.subscribes,
}

/** `publicKey` is `null` when the gateway sends no push messages. */
export async function readPushState(
  core: Core,
  token: string | undefined,
): Promise<{ publicKey: string | null; isOn: boolean }> {
  const { push } = core.providers
  return {
    publicKey: push?.publicKey ?? null,
    isOn: push && token ? await hasSubscription(core, hashOf(token), push.publicKey) : false,
  }
}

/**
 * The subscription ends with the session.
 * @throws Failure PUSH_NOT_OFFERED, PUSH_ENDPOINT_REFUSED, PUSH_ENDPOINT_TAKEN (it is stored with other keys),
 * INVALID_REQUEST (the key is not a point of P-256), TOO_MANY_CALLS
 */
export async function subscribeBrowser(
  core: Core,
  userId: number,
  token: string | undefined,
  { endpoint: given, p256dh, auth }: PushSubscriptionBody,
): Promise<void> {
  const { push } = core.providers
  if (!push) throw failure(pushErrors, 'PUSH_NOT_OFFERED')
  limitCalls(core, subscribes, userId)
  const endpoint = checkEndpoint(core, given)
  if (!isPoint(p256dh)) throw failure(platformErrors, 'INVALID_REQUEST')
  const sessionHash = hashOf(token ?? '')
  await core.database.transaction(async () => {
    const isSaved = await saveSubscription(core, {
      endpoint,
      user_id: userId,
      session_hash: sessionHash,
      p256dh,
      auth,
      server_key: push.publicKey,
      created_at: core.clock.now(),
    })
    if (!isSaved) throw failure(pushErrors, 'PUSH_ENDPOINT_TAKEN')
    await deleteSubscriptionsOfSession(core, sessionHash, endpoint)
    const rows = await listSubscriptions(core, userId, exportedAtMost)
    for (const row of rows.slice(pushRules.mostSubscriptions))
      await deleteSubscription(core, userId, row.endpoint)
    core.afterCommit(() => core.log.info({ event: 'push.subscribed', userId }))
  })
}

/** @throws Failure PUSH_NOT_OFFERED */
export async function unsubscribeBrowser(core: Core, token: string | undefined): Promise<void> {
  if (!core.providers.push) throw failure(pushErrors, 'PUSH_NOT_OFFERED')
  await deleteSubscriptionsOfSession(core, hashOf(token ?? ''))
}

export const hasBrowser = async (core: Core, userId: number): Promise<boolean> =>
  (await listLive(core, userId)).length > 0

/** Deletes subscriptions that have ended. Does not throw when a push service fails. */
export async function sendPush(core: Core, userId: number, message: PushMessage): Promise<PushResult> {
  const bytes = Buffer.byteLength(message.text)
  if (bytes > pushRules.mostBytes) {
    core.log.error({ event: 'push.too-long', bytes })
    return { result: 'refused' }
  }
  const { push } = core.providers
  if (!push) return resultOf([])
  const rows = await listLive(core, userId)
  return resultOf(await Promise.all(rows.map((row) => sendTo(core, push, row, message))))
}

export async function exportSubscriptions(core: Core, userId: number): Promise<PushSubscriptionExport[]> {
  const rows = await listSubscriptions(core, userId, exportedAtMost)
  return rows.map(({ endpoint, created_at }) => ({ createdAt: isoOf(created_at), endpoint }))
}

function checkEndpoint({ log }: Core, endpoint: string) {
  const known = readEndpoint(endpoint)
  if (!known) {
    log.warn({ event: 'push.endpoint-refused', host: URL.parse(endpoint)?.host })
    throw failure(pushErrors, 'PUSH_ENDPOINT_REFUSED')
  }
  return known.url
}

/** A push service refuses a message when the subscription was made with another VAPID key. */
async function listLive(core: Core, userId: number): Promise<SubscriptionRow[]> {
  const { push } = core.providers
  if (!push) return []
  const rows = await listSubscriptions(core, userId, pushRules.mostSubscriptions)
  return rows.filter((row) => row.server_key === push.publicKey)
}

async function sendTo(
  core: Core,
  provider: PushProvider,
  row: SubscriptionRow,
  message: PushMessage,
): Promise<PushOutcome> {
  const answer = await provider.send(row, message)
  const { outcome } = answer
  core.counters.pushMessages.inc({ outcome })
  if (outcome === 'gone') await deleteSubscription(core, row.user_id, row.endpoint)
  if (outcome === 'refused' || outcome === 'too-long')
    core.log.warn({
      event: 'push.refused',
      outcome,
      service: readEndpoint(row.endpoint)?.service,
    })
  return answer
}
