import type { Core } from '#server/core.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import { createOtp, type OtpService } from './otp.service.ts'
import { createOtpStore } from './otp.store.ts'
import { createPairingsStore } from './pairings.store.ts'

interface OtpNeeds {
  readonly partner: Pick<PartnerService, 'findAgentByPhone'>
  readonly users: { findIdByPhone(phone: string): Promise<number | undefined> }
}

/** One-time codes. */
export function registerOtp(core: Core, { partner, users }: OtpNeeds): OtpService {
  const { config, database } = core
  return createOtp({
    ...core,
    store: createOtpStore(database),
    pairings: createPairingsStore(database),
    provider: core.providers.otp,
    findAgent: partner.findAgentByPhone,
    isUser: async (phone) => (await users.findIdByPhone(phone)) !== undefined,
    limits: config,
    channels: config,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
  })
}
