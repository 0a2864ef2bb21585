import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteUser, exportUser } from '#shared/account/account.operations.ts'
import { pages } from '#shared/platform/pages.ts'
import { askConfirmation, verifyConfirmation } from '#shared/sessions/confirmations.operations.ts'
import {
  addEmail,
  recoverAccount,
  removeEmail,
  stopEmail,
  verifyEmail,
  verifyRecovery,
} from '#shared/sessions/emails.operations.ts'
import {
  endSession,
  listSessions,
  logoutEverywhere,
  readUserSession,
} from '#shared/sessions/sessions.operations.ts'
import { newPhone, type Pilgrim, signedUpPilgrim, withEmail } from '#test/builders/pilgrim.builder.ts'
import { day } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { outcomeOf, wrongCodes } from '#test/kit/gateway/sign-in.ts'

/** A copied session cookie reads and books, but does not become the account. */

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({ env: { MESSAGES_ENABLED: 'true' } })
})
afterAll(() => stack?.close())

/** Someone who has copied the session cookie and nothing else. */
function thiefOf({ person }: Pilgrim): Person {
  const thief = newPerson(stack)
  const [name, token] = [...person.cookies].find(([each]) => each.includes('session')) ?? ['', '']
  ;(thief.cookies as Map<string, string>).set(name, token)
  return thief
}

const isSignedIn = async (person: Person) =>
  (await person.call(readUserSession, { query: { probe: '1' } })).success
const codesTo = async (email: string) =>
  (await stack.control.mails(email)).filter(({ by }) => by === 'otp').length
const askRecovery = async (email: string) =>
  outcomeOf(await newPerson(stack).send('POST', recoverAccount.path, { body: { email, phone: newPhone() } }))

let given = 0
const newEmail = () => {
  given += 1
  return `address-${given}@example.com`
}

/** The secret of the link in the letter to a new address. */
async function stopTokenOf(email: string): Promise<string> {
  const letter = await eventually(async () =>
    (await stack.control.mails(email)).find(({ by, text }) => by === 'smtp' && text.includes('/email-stop/')),
  )
  return /\/email-stop\/([\w-]+)/.exec(letter.text)?.[1] ?? ''
}

describe('a copied session cookie', () => {
  it('adds no address, and so does not move the account; its owner does in the same minute', async () => {
    const owner = await signedUpPilgrim(stack)
    const thief = thiefOf(owner)
    const refused = await thief.refusalOf(addEmail, { body: { email: 'thief@example.com' } })
    expect([refused.status, refused.problem.code]).toEqual([403, 'CONFIRMATION_REQUIRED'])
    expect(refused.problem.message).toBe('أكّد أنك صاحب الحساب: نرسل رمزًا إلى رقمك الحالي.')
    // The code goes to the owner's phone; one that the thief reads elsewhere is no help.
    await thief.call(askConfirmation, { body: { purpose: 'email' } })
    const code = await stack.control.codeFor(owner.user.phone ?? '')
    const [guess = ''] = wrongCodes(code, 1)
    expect(outcomeOf(await thief.send('POST', verifyConfirmation.path, { body: { code: guess } }))).toBe(
      '400 CODE_INVALID',
    )
    expect(outcomeOf(await owner.person.send('POST', verifyConfirmation.path, { body: { code } }))).toBe(
      '400 CODE_INVALID',
    )
    expect(await codesTo('thief@example.com')).toBe(0)
    await stack.passTime(120_000)
    const email = newEmail()
    await withEmail(stack, owner, email)
    expect(await owner.person.call(readUserSession)).toMatchObject({ email })
    // What the owner has confirmed serves one request, and none of the thief's.
    expect(outcomeOf(await thief.send('DELETE', removeEmail.path, { body: {} }))).toBe(
      '403 CONFIRMATION_REQUIRED',
    )
  })

  it('exports, deletes and ends nothing, while its owner does; logging out everywhere is free', async () => {
    const owner = await signedUpPilgrim(stack)
    await stack.passTime(120_000)
    const other = newPerson(stack)
    await other.signIn(owner.user.phone ?? '')
    const thief = thiefOf(owner)
    const { sessions } = await thief.call(listSessions)
    const id = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    const refusals = [
      await thief.refusalOf(exportUser),
      await thief.refusalOf(deleteUser),
      await thief.refusalOf(endSession, { params: { id } }),
    ]
    for (const { problem } of refusals) expect(problem.code).toBe('CONFIRMATION_REQUIRED')
    expect([await isSignedIn(owner.person), await isSignedIn(other)]).toEqual([true, true])

    await owner.person.confirm('export')
    expect((await owner.person.call(exportUser)).profile.phone).toBe(owner.user.phone)
    expect(outcomeOf(await owner.person.send('GET', exportUser.path))).toBe('403 CONFIRMATION_REQUIRED')
    await stack.passTime(120_000)
    await owner.person.confirm('session')
    await owner.person.call(endSession, { params: { id } })
    expect(await isSignedIn(other)).toBe(false)
    await thief.call(logoutEverywhere)
    expect([await isSignedIn(thief), await isSignedIn(owner.person)]).toEqual([false, false])
    await stack.passTime(120_000)
    await owner.person.signIn(owner.user.phone ?? '')
    await owner.person.confirm('deletion')
    await owner.person.call(deleteUser)
    expect(await isSignedIn(owner.person)).toBe(false)
  })
})

describe('a new address', () => {
  it('moves the account a day later, the first one too, and the number is told at once, also when it wants no messages', async () => {
    const owner = await signedUpPilgrim(stack, { lang: 'en' })
    await owner.person.call(readUserSession)
    await owner.person.send('PATCH', readUserSession.path, { body: { messages: false } })
    const email = newEmail()
    await withEmail(stack, owner, email)
    const told = await eventually(async () =>
      (await stack.control.messages(owner.user.phone ?? '')).find(({ text }) =>
        text.includes('an e-mail address was added and can open your account from'),
      ),
    )
    expect(told.text).toMatch(/from \w+ \d\d?:\d\d.*\. Not you\? Sign in and remove it\.$/)
    expect(told.text).not.toMatch(/https?:|@|\.com/)
    expect(await askRecovery(email)).toBe('200')
    expect(await codesTo(email)).toBe(1)
    await stack.passTime(day)
    expect(await askRecovery(email)).toBe('200')
    expect(await codesTo(email)).toBe(2)
  })

  it('is removed by its mailbox, once and by the button alone: all sessions end, and no other is accepted for a day', async () => {
    const owner = await signedUpPilgrim(stack)
    const email = newEmail()
    await withEmail(stack, owner, email)
    const token = await stopTokenOf(email)
    expect(token).toMatch(/^[\w-]{22}$/)
    const reader = newPerson(stack)
    const page = await fetch(`${stack.gatewayUrl}${pages.emailStop.replace(':token', token)}`)
    await page.body?.cancel()
    expect(await owner.person.call(readUserSession)).toMatchObject({ email })
    expect(outcomeOf(await reader.send('POST', stopEmail.path, { body: { token: 'A'.repeat(22) } }))).toBe(
      '404 EMAIL_STOP_ENDED',
    )
    await reader.call(stopEmail, { body: { token } })
    expect(await isSignedIn(owner.person)).toBe(false)
    expect(outcomeOf(await reader.send('POST', stopEmail.path, { body: { token } }))).toBe(
      '404 EMAIL_STOP_ENDED',
    )
    await stack.passTime(120_000)
    await owner.person.signIn(owner.user.phone ?? '')
    expect(await owner.person.call(readUserSession)).toMatchObject({ email: null })
    await owner.person.confirm('email')
    const other = newEmail()
    const refused = await owner.person.refusalOf(addEmail, { body: { email: other } })
    expect([refused.status, refused.problem.code]).toEqual([409, 'EMAIL_REFUSED'])
    await stack.passTime(day)
    await withEmail(stack, owner, other)
    expect(await owner.person.call(readUserSession)).toMatchObject({ email: other })
  })

  it('cannot be removed by a link that is a day old, nor once another took its place', async () => {
    const owner = await signedUpPilgrim(stack)
    const [first, second] = [newEmail(), newEmail()]
    await withEmail(stack, owner, first)
    const former = await stopTokenOf(first)
    await stack.passTime(120_000)
    await withEmail(stack, owner, second)
    const late = await stopTokenOf(second)
    const press = async (token: string) =>
      outcomeOf(await newPerson(stack).send('POST', stopEmail.path, { body: { token } }))
    expect(await press(former)).toBe('404 EMAIL_STOP_ENDED')
    await stack.passTime(day)
    expect(await press(late)).toBe('404 EMAIL_STOP_ENDED')
    expect(await owner.person.call(readUserSession)).toMatchObject({ email: second })
  })

  it('confirms its own removal once it may recover the account', async () => {
    const owner = await signedUpPilgrim(stack)
    const email = newEmail()
    await withEmail(stack, owner, email)
    await stack.passTime(day)
    const body = { purpose: 'email-removal', channel: 'email' } as const
    expect(await owner.person.call(askConfirmation, { body })).toMatchObject({ channel: 'email', sent: true })
    await owner.person.call(verifyConfirmation, { body: { code: await stack.control.codeFor(email) } })
    await owner.person.call(removeEmail)
    expect(await owner.person.call(readUserSession)).toMatchObject({ email: null })
  })

  it('is proven in the session that asked, although a stranger recovers at the same time', async () => {
    const owner = await signedUpPilgrim(stack)
    const email = newEmail()
    await withEmail(stack, owner, email)
    await stack.passTime(day)
    await owner.person.call(askConfirmation, { body: { purpose: 'session', channel: 'email' } })
    const phone = newPhone()
    const stranger = newPerson(stack)
    await stranger.call(recoverAccount, { body: { email, phone } })
    const emailCode = await stack.control.codeFor(email)
    // The code of the recovery confirms nothing.
    expect(
      outcomeOf(await owner.person.send('POST', verifyConfirmation.path, { body: { code: emailCode } })),
    ).toBe('400 CODE_INVALID')
    const body = { emailCode, phoneCode: await stack.control.codeFor(phone) }
    expect((await stranger.call(verifyRecovery, { body })).user.id).toBe(owner.user.id)
    await expect(owner.person.call(verifyEmail, { body: { code: emailCode } })).rejects.toThrow('401')
  })
})
