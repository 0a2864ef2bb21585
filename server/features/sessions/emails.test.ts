import { expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { canonical, openFixture, phone } from '#test/kit/sign-in-fixture.ts'
import { createEmails } from './emails.service.ts'
import { createSessionsStore } from './sessions.store.ts'

const openEmails = (fixture: Awaited<ReturnType<typeof openFixture>>) =>
  createEmails({
    ...fixture,
    store: createSessionsStore(fixture.database),
    otp: fixture.otpService,
    isOffered: true,
    allowedCountries: undefined,
    log: silentLog,
  })

it.each([
  ['sms,whatsapp', 'sms'],
  ['whatsapp', 'whatsapp'],
])('with %s on offer a recovery sends its code to the new number by %s', async (offered, channel) => {
  const fixture = await openFixture({ env: { OTP_CHANNELS: offered } })
  const emails = openEmails(fixture)
  const browser = { binding: undefined, device: undefined, session: undefined, address: '192.0.2.1' }
  const sent = await emails.recover({ email: 'maryam@example.com', phone }, 'ar', {
    ...browser,
    log: silentLog,
  })
  expect(sent).toMatchObject({ sent: true, channel })
  expect(fixture.otp.sends).toMatchObject([{ channel }])
})

const lulwa = { kind: 'staff', issuer: 'i', subject: 's', name: 'Lulwa', roles: ['lead'] } as const

it('records by whom an account got another number, and that a mailbox refused it', async () => {
  const fixture = await openFixture()
  const { clock, database, numbers } = fixture
  const store = createSessionsStore(database)
  const email = 'maryam@example.com'
  const { id: userId } = await store.ensureUser(canonical, 'Maryam', clock.now())
  await store.setEmail(userId, email, clock.now())
  await store.addEmailStop({
    token_hash: hashOf('token'),
    user_id: userId,
    email,
    expires_at: clock.now() + 1,
  })
  await openEmails(fixture).stop('token')
  const next = '+966512345679'
  await database.transaction(() => numbers.begin(lulwa, userId, next))
  clock.advance(numberChangeRules.waitMs)
  const change = await numbers.findDue(next)
  if (!change) throw new Error('the change is due')
  await database.transaction(() => numbers.take(change, next))
  const events = await listEvents({ database }, 'user_id', [userId])
  expect(events.map(({ data, by }) => [data, by])).toEqual([
    [{ change: 'email-removed' }, { kind: 'system' }],
    [{ change: 'phone-waits' }, lulwa],
    [{ change: 'phone', personal: { phone: canonical } }, { kind: 'owner' }],
  ])
})
