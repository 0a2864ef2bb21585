import { expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { addEmailStop, ensureUser, setEmail } from '#server/features/users/users.queries.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { canonical, openFixture, phone } from '#test/kit/sign-in-fixture.ts'
import { recoverAccount, stopEmail } from './emails.ts'
import { beginNumberChange, findDueChange, takeNumber } from './number-changes.ts'
import type { SessionBrowser } from './sign-in.ts'

it.each([
  ['sms,whatsapp', 'sms'],
  ['whatsapp', 'whatsapp'],
])('with %s on offer a recovery sends its code to the new number by %s', async (offered, channel) => {
  const fixture = await openFixture({ env: { OTP_CHANNELS: offered } })
  const browser: SessionBrowser = {
    binding: undefined,
    device: undefined,
    session: undefined,
    address: '192.0.2.1',
    language: 'ar',
    log: silentLog,
  }
  const sent = await recoverAccount(fixture.core, { email: 'maryam@example.com', phone }, browser)
  expect(sent).toMatchObject({ sent: true, channel })
  expect(fixture.otp.sends).toMatchObject([{ channel }])
})

const lulwa = { kind: 'staff', issuer: 'i', subject: 's', name: 'Lulwa', roles: ['lead'] } as const

it('records by whom an account got another number, and that a mailbox refused it', async () => {
  const { clock, core, database } = await openFixture()
  const email = 'maryam@example.com'
  const { id: userId } = await ensureUser(core, canonical, 'Maryam', clock.now())
  await setEmail(core, userId, email, clock.now())
  await addEmailStop(core, {
    token_hash: hashOf('token'),
    user_id: userId,
    email,
    expires_at: clock.now() + 1,
  })
  await stopEmail(core, 'token')
  const next = '+966512345679'
  await database.transaction(() => beginNumberChange(core, lulwa, userId, next))
  clock.advance(numberChangeRules.waitMs)
  const change = await findDueChange(core, next)
  if (!change) throw new Error('the change is due')
  await database.transaction(() => takeNumber(core, change, next))
  const events = await listEvents(core, 'user_id', [userId])
  expect(events.map(({ data, by }) => [data, by])).toEqual([
    [{ change: 'email-removed' }, { kind: 'system' }],
    [{ change: 'phone-waits' }, lulwa],
    [{ change: 'phone', personal: { phone: canonical } }, { kind: 'owner' }],
  ])
})
