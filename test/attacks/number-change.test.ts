import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteUser, exportUser } from '#shared/account/account.operations.ts'
import {
  approveAtDesk,
  listApprovals,
  refuseAtDesk,
  revealApproval,
} from '#shared/desk/actions/actions.operations.ts'
import { listAudit } from '#shared/desk/audit/audit.operations.ts'
import { askNumber, readDeskPerson } from '#shared/desk/orders/people.operations.ts'
import { recoverAccount, verifyRecovery } from '#shared/sessions/emails.operations.ts'
import { readUserSession, requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { newPhone, type Pilgrim, signedUpPilgrim, withEmail } from '#test/builders/pilgrim.builder.ts'
import { day, hour, minute } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

/** The desk moves an account whose number is gone: two people of the desk, and a day for the old number. */

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({ env: { MESSAGES_ENABLED: 'true' } })
})
afterAll(() => stack?.close())

const reason = 'lost the phone in Mina'

async function atDesk(as: 'sara' | 'majed' | 'lulwa'): Promise<Person> {
  const browser = newDeskBrowser(stack)
  await browser.signIn({ as })
  return browser.person
}

const paramsOf = ({ user }: Pilgrim) => ({ userId: String(user.id) })

async function askedFor(pilgrim: Pilgrim, phone: string) {
  const sara = await atDesk('sara')
  const { approval } = await sara.call(askNumber, { params: paramsOf(pilgrim), body: { phone, reason } })
  return { sara, id: String(approval?.approvalId) }
}

/** Support asks, and a colleague with the role `money` approves. */
async function approved(pilgrim: Pilgrim, phone: string) {
  const { sara, id } = await askedFor(pilgrim, phone)
  const majed = await atDesk('majed')
  await majed.call(approveAtDesk, { params: { id }, body: {} })
  return { sara, majed, id }
}

const isSignedIn = async (person: Person) =>
  (await person.call(readUserSession, { query: { probe: '1' } })).success
const toldOf = (phone: string, words: string) =>
  eventually(async () => (await stack.control.messages(phone)).find(({ text }) => text.includes(words)))

/** Whether a code to the number signs in, without a name. */
async function trySignIn(phone: string) {
  const person = newPerson(stack, { lang: 'en' })
  await person.call(requestOtp, { body: { phone } })
  const code = await stack.control.codeFor(phone)
  return { person, ...(await person.attempt(verifyOtp, { body: { phone, code } })) }
}

it('gives the account to the new number a day after a second person approved, and tells the old number', async () => {
  const pilgrim = await signedUpPilgrim(stack, { name: 'Maryam Ali', lang: 'en' })
  const [old, phone] = [pilgrim.user.phone ?? '', newPhone()]
  const { sara, id } = await askedFor(pilgrim, phone)
  // Not by the person who asked, and not by support.
  expect((await sara.attempt(approveAtDesk, { params: { id }, body: {} })).code).toBe('STAFF_ROLE_MISSING')
  const params = paramsOf(pilgrim)
  expect((await sara.attempt(askNumber, { params, body: { phone, reason } })).code).toBe('ACTED_BEFORE')
  expect((await sara.call(readDeskPerson, { params })).person).toMatchObject({
    numberAsked: { by: 'سارة الحربي' },
    numberChange: null,
  })
  const majed = await atDesk('majed')
  const { approvals } = await majed.call(listApprovals)
  expect(approvals.find(({ approvalId }) => String(approvalId) === id)).toMatchObject({
    act: 'number',
    orderId: null,
    changed: null,
    receiver: { number: `+966 ••••• ${phone.slice(-4)}` },
    checks: [{ tone: 'good' }, { tone: 'note' }],
  })
  expect(await majed.call(revealApproval, { params: { id }, body: { reason: 'identity' } })).toMatchObject({
    number: phone,
  })
  await majed.call(approveAtDesk, { params: { id }, body: {} })
  const told = await toldOf(old, 'asked to move your account to another number')
  expect(told.text).not.toContain(phone)
  expect(told.text).not.toMatch(/https?:/)

  // Before the day is over the new number has no account.
  await stack.passTime(23 * hour)
  expect((await trySignIn(phone)).code).toBe('SIGN_UP_REQUIRED')
  expect(await isSignedIn(pilgrim.person)).toBe(true)
  await stack.passTime(hour + minute)
  const { person, code } = await trySignIn(phone)
  expect(code).toBeUndefined()
  expect(await person.call(readUserSession)).toMatchObject({ userId: pilgrim.user.id, phone })
  expect(await isSignedIn(pilgrim.person)).toBe(false)
  await toldOf(old, 'your account was moved to another number')
  await stack.passTime(2 * minute)
  expect((await trySignIn(old)).code).toBe('SIGN_UP_REQUIRED')
  await person.confirm('export')
  const { profile } = await person.call(exportUser)
  expect(profile).toMatchObject({
    formerPhones: [{ phone: old }],
    numberChange: { state: 'taken', phone: null },
  })

  const lulwa = await atDesk('lulwa')
  const { rows } = await lulwa.call(listAudit, { query: { user: String(pilgrim.user.id) } })
  const about = rows.filter(({ action }) => action.startsWith('approval-') || action === 'disclosed')
  expect(about.map(({ action }) => action)).toEqual(['approval-decided', 'disclosed', 'approval-requested'])
  for (const secret of [phone, old]) expect(JSON.stringify(rows)).not.toContain(secret)
})

it('is cancelled by a sign-in with the old number, however late, and told to the desk', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const [old, phone] = [pilgrim.user.phone ?? '', newPhone()]
  const { sara } = await approved(pilgrim, phone)
  await stack.passTime(30 * hour)
  expect((await trySignIn(old)).code).toBeUndefined()
  await stack.passTime(2 * minute)
  expect((await trySignIn(phone)).code).toBe('SIGN_UP_REQUIRED')
  await stack.passTime(minute)
  const again = await atDesk('sara')
  expect(sara).not.toBe(again)
  expect((await again.call(readDeskPerson, { params: paramsOf(pilgrim) })).person).toMatchObject({
    numberAsked: null,
    numberChange: { state: 'cancelled', phone: null },
  })
})

it('cannot be approved once the owner has signed in since it was asked for', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const { id } = await askedFor(pilgrim, newPhone())
  await stack.passTime(2 * minute)
  expect((await trySignIn(pilgrim.user.phone ?? '')).code).toBeUndefined()
  const majed = await atDesk('majed')
  expect((await majed.attempt(approveAtDesk, { params: { id }, body: {} })).code).toBe('OVERTAKEN')
})

it('is refused where the new number has an account, also where it got one meanwhile', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const other = await signedUpPilgrim(stack)
  const sara = await atDesk('sara')
  const params = paramsOf(pilgrim)
  for (const taken of [other.user.phone, pilgrim.user.phone])
    expect((await sara.attempt(askNumber, { params, body: { phone: taken ?? '', reason } })).code).toBe(
      'NUMBER_HAS_ACCOUNT',
    )
  expect((await sara.attempt(askNumber, { params, body: { phone: '0110000000', reason } })).code).toBe(
    'PHONE_CANNOT_RECEIVE_CODES',
  )
  // Before it is approved.
  const first = newPhone()
  const { id } = await askedFor(pilgrim, first)
  await newPerson(stack).signUp(first, 'Someone Else')
  const majed = await atDesk('majed')
  expect((await majed.attempt(approveAtDesk, { params: { id }, body: {} })).code).toBe('OVERTAKEN')
  // While it waits: the number keeps its own account, and the move waits until that is deleted.
  const second = newPhone()
  await approved(pilgrim, second)
  const person = newPerson(stack)
  const own = await person.signUp(second, 'Too Early')
  await stack.passTime(25 * hour)
  expect((await newPerson(stack).signIn(second)).id).toBe(own.id)
  await person.confirm('deletion')
  await person.call(deleteUser, { body: {} })
  await stack.passTime(2 * minute)
  expect((await newPerson(stack).signIn(second)).id).toBe(pilgrim.user.id)
})

it('is replaced by a second request, and by a recovery of the owner', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const [first, second, third] = [newPhone(), newPhone(), newPhone()]
  await approved(pilgrim, first)
  await approved(pilgrim, second)
  await stack.passTime(25 * hour)
  expect((await trySignIn(first)).code).toBe('SIGN_UP_REQUIRED')
  expect((await trySignIn(second)).code).toBeUndefined()

  const owner = await signedUpPilgrim(stack)
  const email = 'number-change@example.com'
  await withEmail(stack, owner, email)
  await stack.passTime(2 * day)
  await approved(owner, third)
  const browser = newPerson(stack)
  const own = newPhone()
  await browser.call(recoverAccount, { body: { email, phone: own } })
  const codes = {
    emailCode: await stack.control.codeFor(email),
    phoneCode: await stack.control.codeFor(own),
  }
  await browser.call(verifyRecovery, { body: codes })
  await stack.passTime(25 * hour)
  expect((await trySignIn(third)).code).toBe('SIGN_UP_REQUIRED')
  expect((await newPerson(stack).signIn(own)).id).toBe(owner.user.id)
})

it('ends with the account, and a refused one leaves nothing', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const phone = newPhone()
  const { id } = await askedFor(pilgrim, phone)
  const lulwa = await atDesk('lulwa')
  await lulwa.call(refuseAtDesk, { params: { id }, body: { reason: 'call the old number first' } })
  await approved(pilgrim, phone)
  const { id: waiting } = await askedFor(pilgrim, newPhone())
  await pilgrim.person.confirm('deletion')
  await pilgrim.person.call(deleteUser, { body: {} })
  const majed = await atDesk('majed')
  expect((await majed.attempt(approveAtDesk, { params: { id: waiting }, body: {} })).code).toBe('OVERTAKEN')
  await stack.passTime(25 * hour)
  expect((await trySignIn(phone)).code).toBe('SIGN_UP_REQUIRED')
  const rows = await stack.database.tables
    .selectFrom('number_changes')
    .select('id')
    .where('user_id', '=', pilgrim.user.id)
    .execute()
  expect(rows).toEqual([])
})
