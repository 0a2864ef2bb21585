import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import {
  addEmail,
  recoverAccount,
  removeEmail,
  verifyEmail,
  verifyRecovery,
} from '#shared/sessions/emails.operations.ts'
import { readUserSession, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { newPhone, type Pilgrim, signedUpPilgrim, withEmail } from '#test/builders/pilgrim.builder.ts'
import { day } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { outcomeOf, seenIn, wrongCodes } from '#test/kit/gateway/sign-in.ts'

/** An account whose number is gone gets another one by two codes. With one of the two, or an old cookie, nothing is to be had. */

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({ env: { MESSAGES_ENABLED: 'true' } })
})
afterAll(() => stack?.close())

let given = 0
/** The address may recover the account. */
async function pilgrimWithEmail(): Promise<Pilgrim & { email: string }> {
  const pilgrim = await signedUpPilgrim(stack)
  given += 1
  const email = `pilgrim-${given}@example.com`
  await withEmail(stack, pilgrim, email)
  await eventually(async () =>
    (await stack.control.messages(pilgrim.user.phone ?? '')).find(({ text }) =>
      text.includes('أُضيف بريد إلكتروني'),
    ),
  )
  await stack.passTime(day)
  return { ...pilgrim, email }
}

const ask = (person: Person, email: string, phone: string) =>
  person.send('POST', recoverAccount.path, { body: { email, phone } })
const enter = (person: Person, emailCode: string, phoneCode: string) =>
  person.send('POST', verifyRecovery.path, { body: { emailCode, phoneCode } })
const fieldsOf = ({ json }: { json: unknown }) =>
  ((json as { fields?: { field: string }[] }).fields ?? []).map(({ field }) => field)
const letterTo = (email: string, subject: string) =>
  eventually(async () =>
    (await stack.control.mails(email)).find((mail) => mail.by === 'smtp' && mail.subject.includes(subject)),
  )
const codesTo = async (email: string) =>
  (await stack.control.mails(email)).filter(({ by }) => by === 'otp').length
const isSignedIn = async (person: Person) =>
  (await person.call(readUserSession, { query: { probe: '1' } })).success
/** Any other code than the right one. */
const wrong = (right: string) => wrongCodes(right, 1)[0] ?? ''

it('gives the account the new number for both codes, ends every other session, and tells the old number', async () => {
  const { person, user, email } = await pilgrimWithEmail()
  const [old, phone] = [user.phone ?? '', newPhone()]
  const browser = newPerson(stack)
  // As an address is typed on a phone.
  expect(outcomeOf(await ask(browser, ` ${email.toUpperCase()} `, phone))).toBe('200')
  const codes = {
    emailCode: await stack.control.codeFor(email),
    phoneCode: await stack.control.codeFor(phone),
  }
  const moved = await browser.call(verifyRecovery, { body: codes })
  expect(moved.user).toEqual({ id: user.id, name: user.name, phone })
  expect([await isSignedIn(browser), await isSignedIn(person)]).toEqual([true, false])
  const told = await eventually(async () =>
    (await stack.control.messages(old)).find(({ text }) => text.includes('نُقل حسابك إلى رقم آخر')),
  )
  // As when the address was added.
  const texts = (await stack.control.messages(told.phone)).map(({ text }) => text)
  expect(texts.filter((text) => text.includes('أُضيف بريد إلكتروني'))).toHaveLength(1)
  await letterTo(email, 'نُقل حسابك إلى رقم جوال آخر')
  // The old number has no account now, and the new one signs in.
  await stack.passTime(120_000)
  expect((await newPerson(stack).signUp(old, 'Who Has The SIM Now')).id).not.toBe(user.id)
  expect((await newPerson(stack).signIn(phone)).id).toBe(user.id)
  await browser.confirm('export')
  const { profile, messages } = await browser.call(exportUser)
  expect(profile).toMatchObject({ phone, email, formerPhones: [{ phone: old }] })
  expect(messages.find(({ about }) => about === 'number-changed')).toMatchObject({
    phone: old,
    orderId: null,
  })
})

it('is closed to who has the mailbox alone, the new phone alone, or an old cookie', async () => {
  const { person, user, email } = await pilgrimWithEmail()
  const phone = newPhone()
  // The mailbox alone: the code of the number is read by its owner only.
  const reader = newPerson(stack)
  await ask(reader, email, phone)
  const [emailCode, phoneCode] = [await stack.control.codeFor(email), await stack.control.codeFor(phone)]
  const withMailbox = await enter(reader, emailCode, wrong(phoneCode))
  expect([outcomeOf(withMailbox), fieldsOf(withMailbox)]).toEqual(['400 CODE_INVALID', ['phoneCode']])
  // The codes, in a browser that did not ask for them.
  expect(outcomeOf(await enter(newPerson(stack), emailCode, phoneCode))).toBe('400 CODE_INVALID')
  // The new phone alone: three guesses, and the right code is worth nothing after them.
  await stack.passTime(day)
  const caller = newPerson(stack)
  await ask(caller, email, phone)
  const right = await stack.control.codeFor(email)
  const own = await stack.control.codeFor(phone)
  const guesses = []
  for (const guess of wrongCodes(right, 3)) guesses.push(outcomeOf(await enter(caller, guess, own)))
  expect(guesses).toEqual(['400 CODE_INVALID', '400 CODE_INVALID', '400 CODE_USED_UP'])
  const late = await enter(caller, right, own)
  expect([outcomeOf(late), fieldsOf(late)]).toEqual(['400 CODE_USED_UP', ['emailCode']])
  expect([await isSignedIn(reader), await isSignedIn(caller)]).toEqual([false, false])
  expect((await person.call(readUserSession)).success).toBe(true)
  // An old cookie of an account that was moved, and a code that its old number was sent before.
  await stack.passTime(120_000)
  const before = newPerson(stack)
  await before.send('POST', '/api/auth/request-otp', { body: { phone: user.phone } })
  const oldCode = await stack.control.codeFor(user.phone ?? '')
  const mover = newPerson(stack)
  const next = newPhone()
  await ask(mover, email, next)
  const both = { emailCode: await stack.control.codeFor(email), phoneCode: await stack.control.codeFor(next) }
  await mover.call(verifyRecovery, { body: both })
  expect(await isSignedIn(person)).toBe(false)
  const reply = await before.send('POST', verifyOtp.path, { body: { phone: user.phone, code: oldCode } })
  expect(outcomeOf(reply)).toBe('400 CODE_INVALID')
})

it('tells an address that another took its place, or that it was removed, and the new one recovers nothing for a day', async () => {
  const { person, user, email } = await pilgrimWithEmail()
  const thief = `thief-of-${email}`
  await stack.passTime(120_000)
  await person.confirm('email-removal')
  await person.call(removeEmail)
  await letterTo(email, 'لم يعد هذا البريد مرتبطًا بحسابك')
  await stack.passTime(120_000)
  await withEmail(stack, { person, user }, `first-${thief}`)
  await stack.passTime(120_000)
  await withEmail(stack, { person, user }, thief)
  await letterTo(`first-${thief}`, 'لم يعد هذا البريد مرتبطًا بحسابك')
  const codesAfterAsking = async (of: string) => {
    expect(outcomeOf(await ask(newPerson(stack), of, newPhone()))).toBe('200')
    return codesTo(of)
  }
  expect([await codesAfterAsking(email), await codesAfterAsking(thief)]).toEqual([1, 1])
  await stack.passTime(day)
  expect([await codesAfterAsking(email), await codesAfterAsking(thief)]).toEqual([1, 2])
})

it('answers the same whether an account has proven the address, and writes to that address only', async () => {
  const { email } = await pilgrimWithEmail()
  const sent = await codesTo(email)
  const unknown = 'unknown@example.com'
  const answers = [
    await ask(newPerson(stack), email, newPhone()),
    await ask(newPerson(stack), unknown, newPhone()),
  ]
  expect(seenIn(answers[0] as never)).toEqual(seenIn(answers[1] as never))
  expect(await codesTo(email)).toBe(sent + 1)
  expect(await stack.control.mails(unknown)).toEqual([])
  // Beyond the codes of a day nothing is sent, which is not said either.
  for (let count = 0; count < 12; count += 1) {
    await stack.passTime(120_000)
    for (const of of [email, unknown])
      expect(outcomeOf(await ask(newPerson(stack), of, newPhone()))).toBe('200')
  }
  expect(await codesTo(email)).toBe(sent + 12)
})

it('strangers who ask five times leave the owner, whose browser is another one, a letter', async () => {
  const { user, email } = await pilgrimWithEmail()
  const letters = async () => (await stack.control.mails(email)).filter(({ by }) => by === 'otp').length
  const before = await letters()
  const stranger = newPerson(stack)
  for (let count = 0; count < 5; count += 1) {
    await stack.passTime(120_000)
    expect(outcomeOf(await ask(stranger, email, newPhone()))).toBe('200')
  }
  expect(await letters()).toBe(before + 3)
  await stack.passTime(120_000)
  const [owner, phone] = [newPerson(stack), newPhone()]
  await ask(owner, email, phone)
  expect(await letters()).toBe(before + 4)
  const codes = {
    emailCode: await stack.control.codeFor(email),
    phoneCode: await stack.control.codeFor(phone),
  }
  expect((await owner.call(verifyRecovery, { body: codes })).user.id).toBe(user.id)
})

it('changes nothing where the new number has an account of its own', async () => {
  const { person, user, email } = await pilgrimWithEmail()
  const holder = await signedUpPilgrim(stack)
  const phone = holder.user.phone ?? ''
  const browser = newPerson(stack)
  await stack.passTime(120_000)
  await ask(browser, email, phone)
  const both = {
    emailCode: await stack.control.codeFor(email),
    phoneCode: await stack.control.codeFor(phone),
  }
  expect((await browser.refusalOf(verifyRecovery, { body: both })).problem.code).toBe('NUMBER_HAS_ACCOUNT')
  expect(await person.call(readUserSession)).toMatchObject({ userId: user.id, phone: user.phone, email })
  expect(await isSignedIn(holder.person)).toBe(true)
})

it('is an address of one account, proven by the code of its own session', async () => {
  const { email } = await pilgrimWithEmail()
  const other = await signedUpPilgrim(stack)
  await stack.passTime(120_000)
  await other.person.confirm('email')
  await other.person.call(addEmail, { body: { email } })
  const code = await stack.control.codeFor(email)
  // Another user, with the cookie of the browser that the code was sent to.
  const third = await signedUpPilgrim(stack)
  const binding = [...other.person.cookies].find(([name]) => name.includes('browser'))?.join('=')
  const session = [...third.person.cookies].find(([name]) => name.includes('session'))?.join('=')
  const headers = { cookie: `${session}; ${binding}` }
  expect((await newPerson(stack).refusalOf(verifyEmail, { body: { code }, headers })).problem.code).toBe(
    'CODE_INVALID',
  )
  const taken = await other.person.refusalOf(verifyEmail, { body: { code } })
  expect(taken.problem.code).toBe('EMAIL_HAS_ACCOUNT')
  // Three codes a day.
  const limited = []
  for (let count = 0; count < 3; count += 1) {
    await stack.passTime(120_000)
    await other.person.confirm('email')
    limited.push(
      outcomeOf(await other.person.send('POST', addEmail.path, { body: { email: `a${count}@example.com` } })),
    )
  }
  expect(limited).toEqual(['200', '200', '429 TOO_MANY_EMAIL_CODES'])
})
