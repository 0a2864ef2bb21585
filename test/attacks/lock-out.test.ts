import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { minute, second } from '#test/kit/clock.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, outcomeOf, type Screen, sessionsOf, typeCode, wrongCodes } from '#test/kit/sign-in.ts'

/** An attacker may use the limits on guessing to lock a user out, by guessing wrong on purpose. */

let stack: InProcessStack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const agentPhone = '+966500000106'

async function signIn(person: Person, phone: string, screen: Screen): Promise<void> {
  expect(outcomeOf(await askForCode(person, phone, screen))).toBe('200')
  expect(outcomeOf(await typeCode(person, phone, await stack.control.codeFor(phone), screen))).toBe('200')
}

/** A browser that has signed in with the phone before, and has signed out since. */
async function knownBrowser(phone: string, screen: Screen): Promise<Person> {
  const person = newPerson(stack)
  await signIn(person, phone, screen)
  await person.logout()
  await stack.passTime(2 * minute)
  return person
}

/** Enters wrong codes until a limit refuses every further one. */
async function guessUntilRefused(phone: string, screen: Screen): Promise<string> {
  for (;;) {
    const person = newPerson(stack)
    const asked = await askForCode(person, phone, screen)
    if (asked.status !== 200) return outcomeOf(asked)
    for (const wrong of wrongCodes(await stack.control.codeFor(phone), 3))
      await typeCode(person, phone, wrong, screen)
    await stack.passTime(61 * second)
  }
}

describe.each([
  ['a pilgrim', 'user', (): string => newPhone()],
  ['an agent', 'agent', (): string => agentPhone],
] as const)('%s whose attempts a stranger uses up', (_, screen, phoneOf) => {
  it('still gets a code and gets in with the browser they have signed in with before', async () => {
    const phone = phoneOf()
    const owner = await knownBrowser(phone, screen)
    expect(await guessUntilRefused(phone, screen)).toBe('429 TOO_MANY_WRONG_CODES')

    // The stranger is refused, and so is a browser with a forged cookie of a known device.
    const stranger = newPerson(stack)
    expect(outcomeOf(await askForCode(stranger, phone, screen))).toBe('429 TOO_MANY_WRONG_CODES')
    const name = [...owner.cookies.keys()].find((key) => key.includes('device')) ?? ''
    const elsewhere = await knownBrowser(screen === 'user' ? newPhone() : '+966500000107', screen)
    for (const value of ['A'.repeat(43), 'x', elsewhere.cookies.get(name) ?? '']) {
      const liar = newPerson(stack)
      const cookies = liar.cookies as Map<string, string>
      cookies.set(name, value)
      expect(outcomeOf(await askForCode(liar, phone, screen)), value).toBe('429 TOO_MANY_WRONG_CODES')
    }

    const before = await sessionsOf(rows, phone, screen)
    await signIn(owner, phone, screen)
    expect(await sessionsOf(rows, phone, screen)).toBe(before + 1)
  })
})
