import type { Core } from '#server/core.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import { deliveryAfterMs } from '#shared/sessions/session-lives.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { Browser } from './attempts.service.ts'
import type { OtpProvider } from './otp.provider.ts'
import { isEmailRole } from './otp.rules.ts'
import type { OtpStore } from './otp.store.ts'

interface DeliveryDeps extends Pick<Core, 'clock'> {
  readonly store: OtpStore
  readonly provider: Pick<OtpProvider, 'readDelivery'>
}

/**
 * Tells whether the last SMS for a browser arrived. The service is asked once for each; for agents never, because of a phone
 * that is no agent's there is nothing to ask. The request names no phone, so a browser with live codes of several is told
 * nothing: one page must not read what is true of another.
 */
export function createDelivery({ store, provider, clock }: DeliveryDeps) {
  return async ({ binding }: Pick<Browser, 'binding'>): Promise<CodeDelivery> => {
    const now = clock.now()
    const live = isToken(binding) ? await store.listLiveOf(hashOf(binding), now) : []
    const [sent, ...earlier] = live.filter(({ role }) => !isEmailRole(role))
    if (earlier.some(({ role, phone }) => role !== sent?.role || phone !== sent.phone)) return 'unknown'
    if (sent === undefined || sent.role === 'agent' || sent.channel !== 'sms' || sent.provider_ref === null)
      return 'unknown'
    if (sent.delivery !== null) return sent.delivery
    if (now < sent.sent_at + deliveryAfterMs) return 'unknown'
    if (!(await store.claimDelivery(sent.id))) return 'unknown'
    const state = await provider.readDelivery(sent.provider_ref)
    if (state !== 'unknown') await store.setDelivery(sent.id, state)
    return state
  }
}
