import { describe, expect, it } from 'vitest'
import { day, minute } from '#test/kit/basics/clock.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { openFixture, phone, rightCode, wrongCode } from '#test/kit/gateway/sign-in-fixture.ts'
import type { Browser } from './attempts.ts'
import { checkCode, checkEmailCode, findSentEmail, redeemProof } from './check-codes.ts'
import { keyOfEmail } from './emails.rules.ts'
import type { EmailOrder } from './send-codes.ts'
import { sendCode, sendEmailCode, sendEmailCodeBeside } from './send-codes.ts'

/** Codes to addresses; how an account is recovered with them is told in test/attacks/recovery.test.ts. */

const email = 'maryam@example.com'

async function open() {
  const fixture = await openFixture()
  const { core } = fixture
  const order = (change: Partial<EmailOrder> = {}): EmailOrder => ({
    role: 'recovery',
    key: keyOfEmail(email),
    email,
    isServed: true,
    language: 'ar',
    ...change,
  })
  let browser: Browser = { binding: undefined, device: undefined, address: '192.0.2.1', log: silentLog }
  /** As a recovery asks: a code to the new number, and one beside it. */
  async function ask(change: Partial<EmailOrder> & { newPhone: string }): Promise<void> {
    const sent = await sendCode(
      core,
      { role: 'user', phone: change.newPhone, channel: 'sms', language: 'ar' },
      browser,
    )
    await sendEmailCodeBeside(core, sent, order(change), browser)
    browser = { ...browser, binding: sent.binding }
  }
  /** Makes the browser one that has signed in with a phone. */
  async function signIn(of: string): Promise<void> {
    const { binding } = await sendCode(
      core,
      { role: 'user', phone: of, channel: 'sms', language: 'ar' },
      browser,
    )
    const proof = await checkCode(core, 'user', of, rightCode, { ...browser, binding })
    const device = await fixture.database.transaction(() => redeemProof(core, proof, browser))
    browser = { ...browser, device, binding: undefined }
  }
  const enter = (code: string) =>
    checkEmailCode(core, 'recovery', code, browser).then(
      () => 'right',
      (error: { code: string }) => error.code,
    )
  /** A browser without a cookie. */
  const changeBrowser = () => {
    browser = { ...browser, binding: undefined, device: undefined }
  }
  return { ...fixture, core, order, ask, enter, signIn, changeBrowser, browser: () => browser }
}

describe('a code to an address', () => {
  it('that no account has proven costs the same calls, and none of them sends', async () => {
    const { ask, enter, otp } = await open()
    await ask({ newPhone: phone, isServed: false })
    expect(otp.sends.map(({ channel }) => channel)).toEqual(['sms'])
    expect(await enter(rightCode)).toBe('CODE_INVALID')
    expect(otp.pretences).toEqual(['send recovery', 'check recovery'])
  })

  it('stays when the new number is corrected, and belongs to the corrected one', async () => {
    const { ask, core, otp, browser } = await open()
    await ask({ newPhone: '+966500000111' })
    await ask({ newPhone: '+966500000112' })
    expect(otp.sends.map(({ phone: to }) => to)).toEqual(['+966500000111', email, '+966500000112'])
    expect(await findSentEmail(core, 'recovery', browser())).toMatchObject({ new_phone: '+966500000112' })
  })

  it('is no code of another role, phone or browser', async () => {
    const { ask, core, browser } = await open()
    await ask({ newPhone: phone })
    await expect(checkEmailCode(core, 'email', rightCode, browser())).rejects.toThrow('CODE_INVALID')
    const other = { ...browser(), binding: 'b'.repeat(43) }
    await expect(checkEmailCode(core, 'recovery', rightCode, other)).rejects.toThrow('CODE_INVALID')
  })

  it('is sent twelve times a day to a mailbox and three times to a browser, which is not shown', async () => {
    const { ask, otp, clock, changeBrowser } = await open()
    const mails = () => otp.sends.filter(({ channel }) => channel === 'email').length
    let numbers = 0
    const askAgain = async () => {
      numbers += 1
      clock.advance(2 * minute)
      await ask({ newPhone: `+9665000002${String(numbers).padStart(2, '0')}` })
    }
    for (let browsers = 1; browsers <= 4; browsers += 1) {
      for (let count = 0; count < 5; count += 1) await askAgain()
      expect(mails()).toBe(3 * browsers)
      changeBrowser()
    }
    await askAgain()
    expect(mails()).toBe(12)
    clock.advance(day)
    await askAgain()
    expect(mails()).toBe(13)
  })

  it('is limited apart in a browser that has signed in with the number of the account', async () => {
    const { ask, core, order, browser, otp, clock, signIn, changeBrowser } = await open()
    const mails = () => otp.sends.filter(({ channel }) => channel === 'email').length
    const accountPhone = '+966512345678'
    for (let count = 0; count < 14; count += 1) {
      if (count % 3 === 0) changeBrowser()
      await ask({ newPhone: `+9665000002${String(count).padStart(2, '0')}`, accountPhone })
      clock.advance(2 * minute)
    }
    expect(mails()).toBe(12)
    await signIn(accountPhone)
    clock.advance(2 * minute)
    await ask({ newPhone: '+966500000111', accountPhone: '+966500000112' })
    expect(mails()).toBe(12)
    await ask({ newPhone: '+966500000113', accountPhone })
    expect(mails()).toBe(13)
    await expect(
      sendEmailCode(core, order({ role: 'email', key: 'user:1' }), browser()),
    ).resolves.toMatchObject({ sent: true })
  })

  it('is refused with the address in the text when the service has sent enough codes', async () => {
    const { core, order, otp, browser } = await open()
    otp.state.trouble = 'too-many'
    const refused = sendEmailCode(core, order({ role: 'email', key: 'user:1' }), browser())
    await expect(refused).rejects.toThrow('TOO_MANY_EMAIL_CODES')
  })

  it('stops after twenty wrong ones in a row: silently for a recovery, with a word to its user', async () => {
    const { ask, enter, core, order, otp, database, browser, clock } = await open()
    await ask({ newPhone: phone })
    await database.tables.updateTable('otp_counters').set({ consecutive_failures: 20 }).execute()
    expect(await enter(wrongCode)).toBe('EMAIL_LOCKED')
    await database.tables
      .updateTable('otp_counters')
      .set({ consecutive_failures: 0 })
      .where('role', '=', 'user')
      .execute()
    clock.advance(2 * minute)
    await ask({ newPhone: phone })
    expect(otp.sends.map(({ channel }) => channel)).toEqual(['sms', 'email', 'sms'])
    const own = order({ role: 'email', key: order().key })
    await database.tables
      .insertInto('otp_counters')
      .values({ role: 'email', phone: own.key, touched_at: 0, consecutive_failures: 20 })
      .execute()
    await expect(sendEmailCode(core, own, browser())).rejects.toThrow('EMAIL_LOCKED')
  })
})
