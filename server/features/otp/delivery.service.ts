import type { Core } from '#server/platform/core.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { Browser } from './attempts.service.ts'
import type { OtpProvider } from './otp.provider.ts'
import { channelRules } from './otp.rules.ts'
import type { OtpStore } from './otp.store.ts'

interface DeliveryDeps extends Pick<Core, 'clock'> {
  readonly store: OtpStore
  readonly provider: Pick<OtpProvider, 'readDelivery'>
}

/**
 * Tells whether the last SMS for a browser arrived. The service is asked once for each, when most have arrived; for agents
 * never, because of a phone that is no agent's there is nothing to ask.
 */
export function createDelivery({ store, provider, clock }: DeliveryDeps) {
  return async ({ binding }: Pick<Browser, 'binding'>): Promise<CodeDelivery> => {
    const now = clock.now()
    const sent = isToken(binding) ? await store.findNewestOf(hashOf(binding), now) : undefined
    if (sent?.role !== 'user' || sent.channel !== 'sms' || sent.provider_ref === null) return 'unknown'
    if (sent.delivery !== null) return sent.delivery
    if (now < sent.sent_at + channelRules.deliveryAfterMs) return 'unknown'
    if (!(await store.claimDelivery(sent.id))) return 'unknown'
    const state = await provider.readDelivery(sent.provider_ref)
    if (state !== 'unknown') await store.setDelivery(sent.id, state)
    return state
  }
}
