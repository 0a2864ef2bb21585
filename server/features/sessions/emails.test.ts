import { expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import {
  addEmailStop,
  ensureUser,
  findUserByPhone,
  refuseSms,
  setEmail,
} from '#server/features/users/users.queries.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { canonical, openFixture, phone, rightCode } from '#test/kit/gateway/sign-in-fixture.ts'
import { recoverAccount, stopEmail, verifyRecovery } from './emails.ts'
import { beginNumberChange, findDueChange, takeNumber } from './number-changes.ts'
import type { SessionBrowser } from './sign-in.ts'

const visitor: SessionBrowser = {
  binding: undefined,
  device: undefined,
  session: undefined,
  address: '192.0.2.1',
  language: 'ar',
  log: silentLog,
}

it.each([
  ['sms,whatsapp', 'sms'],
  ['whatsapp', 'whatsapp'],
])('with %s on offer a recovery sends its code to the new number by %s', async (offered, channel) => {
  const fixture = await openFixture({ env: { OTP_CHANNELS: offered } })
  const sent = await recoverAccount(fixture.core, { email: 'maryam@example.com', phone }, visitor)
  expect(sent).toMatchObject({ sent: true, channel })
  expect(fixture.otp.sends).toMatchObject([{ channel }])
})

it.each([
  ['sms', 'phone', null],
  ['whatsapp', 'phone', 'phone'],
  ['sms', 'opted-out', 'opted-out'],
] as const)(
  'after a recovery by %s to the same number a refusal of SMS (%s) is %s',
  async (channel, refusal, kept) => {
    const { clock, core } = await openFixture({ env: { OTP_CHANNELS: channel } })
    const email = 'maryam@example.com'
    const { id } = await ensureUser(core, canonical, 'Maryam', clock.now())
    await setEmail(core, id, email, clock.now() - emailWaitMs)
    await refuseSms(core, id, canonical, refusal)
    const { binding } = await recoverAccount(core, { email, phone }, visitor)
    const codes = { emailCode: rightCode, phoneCode: rightCode }
    await verifyRecovery(core, codes, { ...visitor, binding })
    expect((await findUserByPhone(core, canonical))?.sms_refused).toBe(kept)
  },
)

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
