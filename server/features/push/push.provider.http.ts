import { createECDH } from 'node:crypto'
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { ExternalService } from '#server/platform/external-service.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import type { PushProvider } from './push.provider.ts'
import { outcomeOf, type PushServiceName, pushRules, readEndpoint } from './push.rules.ts'

const timeoutMs = 10_000
const mostBytes = 16 * 1024

/** Web Push (docs/wires/push.md). @param subject the operator's `mailto:` address */
export function createPushProvider(
  { privateKey, subject }: { readonly privateKey: string; readonly subject: string },
  services: Readonly<Record<PushServiceName, ExternalService>>,
): PushProvider {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey, 'base64url')
  const keys = { privateKey, publicKey: pair.getPublicKey('base64url'), subject }
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, { text, topic, lifeMs }) {
      // A restored database can name other hosts, which must not be called.
      const known = readEndpoint(endpoint)
      if (!known) return { outcome: 'gone' }
      const subscription = { endpoint: known.url, expirationTime: null, keys: { p256dh, auth } }
      const { headers } = await vapidHeaders(subscription, keys)
      // Padding would make 4,096 bytes, which some push services refuse.
      const bytes = await encryptNotification(subscription, new TextEncoder().encode(text), {
        pad: false,
      }).catch(() => undefined)
      if (!bytes) return { outcome: 'gone' }
      try {
        const { status, retryAfter } = await services[known.service].request({
          operation: 'send-push',
          method: 'POST',
          url: known.url,
          headers: {
            ...headers,
            'content-encoding': 'aes128gcm',
            'content-type': 'application/octet-stream',
            ttl: String(Math.max(0, Math.floor(lifeMs / 1_000))),
            urgency: 'high',
            topic,
          },
          bytes,
          timeoutMs,
          mostBytes,
        })
        return outcomeOf(status, retryAfter)
      } catch (error) {
        if (error instanceof OutcomeUnknownError) return { outcome: 'uncertain' }
        if (error instanceof UnreachableError) return { outcome: 'unreachable', waitMs: pushRules.pauseMs }
        throw error
      }
    },
  }
}
