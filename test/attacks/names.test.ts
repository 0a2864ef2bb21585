import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUserSession, requestOtp, updateUser, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { newPhone, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { newPerson } from '#test/kit/person.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

/** A name is shown to an agent and printed on a label: it must not hide, reorder or break what stands around it. */

let stack: Stack
let pilgrim: Pilgrim

beforeAll(async () => {
  stack = await startStack()
  pilgrim = await signedUpPilgrim(stack, { name: 'Maryam' })
})
afterAll(() => stack?.close())

const hostile = [
  ['turns the text around', 'Maryam \u202e1234 DEIRUB'],
  ['opens an isolate and never closes it', '\u2066Maryam'],
  ['breaks the line of a log or a label', 'Maryam\u0085PAID'],
  ['breaks the line by a separator', 'Maryam\u2028PAID'],
  ['is half a character', 'Maryam\ud800'],
  ['is half a character of the other half', '\udfffMaryam'],
  ['is a control of the terminal', 'Maryam\u001b[2J'],
  ['draws what only one font knows', 'Maryam\ue000'],
  ['is not a character yet', 'Maryam\u0378'],
  ['is nothing visible', '\u3164'],
  ['is joiners alone', '\u200d\u200c'],
  ['is the phone of another', '0555555555'],
] as const

describe.each(hostile)('a name that %s', (_, name) => {
  it('is refused at sign-up, before a code is sent and when it is entered', async () => {
    const person = newPerson(stack)
    const phone = newPhone()
    const asked = await person.refusalOf(requestOtp, { body: { phone, name } })
    expect([asked.status, asked.problem.code]).toEqual([400, 'NAME_INVALID'])
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    const entered = await person.refusalOf(verifyOtp, { body: { phone, code, name } })
    expect([entered.status, entered.problem.code]).toEqual([400, 'NAME_INVALID'])
    // The code still works with a valid name.
    expect((await person.call(verifyOtp, { body: { phone, code, name: 'Maryam' } })).user.name).toBe('Maryam')
  })

  it('is refused as a new name, and the previous name stays', async () => {
    const refused = await pilgrim.person.refusalOf(updateUser, { body: { name } })
    expect([refused.status, refused.problem.code]).toEqual([400, 'NAME_INVALID'])
    expect(await pilgrim.person.call(readUserSession)).toMatchObject({ name: 'Maryam' })
  })
})

const honest = [
  ['Arabic', 'عبد الرحمن بن أبي بكر'],
  ['Arabic with its vowels', 'مُحَمَّد'],
  ['Persian with a joiner between', 'علی\u200cرضا حسین\u200cزاده'],
  ['Urdu', 'محمد اقبال خاں\u200cصاحب'],
  ['Indonesian', 'Siti Nurhaliza binti Tarudin'],
  ['Chinese', '马明心'],
  ['Bengali', 'মোঃ রফিকুল ইসলাম'],
  ['Turkish', 'Şükrü Çağrı Yıldız'],
  ['with an apostrophe', "Sa'd O’Neill"],
  ['with a hyphen and a dot', 'Jean-Luc M. Al-Harbi Jr.'],
] as const

describe.each(honest)('a name that is %s', (_, name) => {
  it('is accepted at sign-up and stored unchanged', async () => {
    const { user } = await signedUpPilgrim(stack, { name })
    expect(user.name).toBe(name.normalize('NFC'))
  })

  it('is accepted as a new name', async () => {
    const { person } = await signedUpPilgrim(stack)
    const { user } = await person.call(updateUser, { body: { name } })
    expect(user.name).toBe(name.normalize('NFC'))
    expect(await person.call(readUserSession)).toMatchObject({ name: user.name })
  })
})

it('a new name is not accepted from a page of another site', async () => {
  const { status, json } = await pilgrim.person.send('PATCH', updateUser.path, {
    body: { name: 'Mallory' },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect([status, json]).toEqual([403, expect.objectContaining({ code: 'FORBIDDEN_ORIGIN' })])
  expect(await pilgrim.person.call(readUserSession)).toMatchObject({ name: 'Maryam' })
})
