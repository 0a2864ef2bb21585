import { expect, it } from 'vitest'
import { silentLog } from '#test/kit/feature-app.ts'
import { openFixture, phone } from '#test/kit/sign-in-fixture.ts'
import { createEmails } from './emails.service.ts'
import { createSessionsStore } from './sessions.store.ts'

it.each([
  ['sms,whatsapp', 'sms'],
  ['whatsapp', 'whatsapp'],
])('with %s on offer a recovery sends its code to the new number by %s', async (offered, channel) => {
  const fixture = await openFixture({ env: { OTP_CHANNELS: offered } })
  const emails = createEmails({
    ...fixture,
    store: createSessionsStore(fixture.database),
    otp: fixture.otpService,
    announce: async () => undefined,
    isOffered: true,
    allowedCountries: undefined,
    log: silentLog,
  })
  const browser = { binding: undefined, device: undefined, session: undefined, address: '192.0.2.1' }
  const sent = await emails.recover({ email: 'maryam@example.com', phone }, 'ar', {
    ...browser,
    log: silentLog,
  })
  expect(sent).toMatchObject({ sent: true, channel })
  expect(fixture.otp.sends).toMatchObject([{ channel }])
})
