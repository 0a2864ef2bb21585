import type { PartnerService } from '#server/features/partner/partner.service.ts'
import type { Core } from '#server/platform/core.ts'
import { createOtpProvider } from './otp.provider.http.ts'
import { createOtp, type OtpService } from './otp.service.ts'
import { createOtpStore } from './otp.store.ts'
import { createPairingsStore } from './pairings.store.ts'

interface OtpNeeds {
  readonly partner: Pick<PartnerService, 'findAgentByPhone'>
  readonly users: { findIdByPhone(phone: string): Promise<number | undefined> }
}

/** One-time codes. */
export function registerOtp(core: Core, { partner, users }: OtpNeeds): OtpService {
  const { config, database, externalService } = core
  const account = {
    baseUrl: config.OTP_BASE_URL,
    accountSid: config.OTP_ACCOUNT_SID,
    authToken: config.OTP_AUTH_TOKEN,
    services: { user: config.OTP_USER_SERVICE_SID, agent: config.OTP_AGENT_SERVICE_SID },
  }
  return createOtp({
    ...core,
    store: createOtpStore(database),
    pairings: createPairingsStore(database),
    provider: createOtpProvider(account, {
      sms: externalService('otp'),
      whatsapp: externalService('otp_whatsapp'),
      call: externalService('otp_call'),
      email: externalService('otp_email'),
      delivery: externalService('otp_delivery'),
    }),
    findAgent: partner.findAgentByPhone,
    isUser: async (phone) => (await users.findIdByPhone(phone)) !== undefined,
    limits: config,
    channels: config,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
  })
}
