import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { hour, second } from '#test/kit/clock.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { type Answer, newPerson } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import {
  askForCode,
  eventsOf,
  outcomeOf,
  type Screen,
  seenIn,
  typeCode,
  wrongCodes,
} from '#test/kit/sign-in.ts'

/** Answers do not reveal whether a phone belongs to an agent or has an account. */

let stack: InProcessStack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
  // From here on the directory is stored, so that failures of the partner do not matter.
  await newPerson(stack).agents()
})
afterEach(async () => {
  await stack.control.endFaults()
  // On a slow machine the breaker of the code service may have opened: wait until it is closed.
  await eventually(async () =>
    (await askForCode(newPerson(stack), newPhone())).status === 200 ? true : undefined,
  )
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const agents = Array.from({ length: 12 }, (_, index) => `+966500000${104 + index}`)
const nextAgent = () => agents.shift() ?? ''

/** The same steps for both phones, at the same times. */
async function alike(
  phones: readonly [string, string],
  screen: Screen,
  step: (phone: string) => Promise<Answer>,
) {
  const [known, unknown] = [await step(phones[0]), await step(phones[1])]
  expect(seenIn(known)).toEqual(seenIn(unknown))
  expect(await eventsOf(rows, phones[0], screen)).toEqual(await eventsOf(rows, phones[1], screen))
  return outcomeOf(known)
}

describe('a phone that is an agent’s and one that is not', () => {
  it('are answered alike from the first code to the last limit, and only the agent gets an SMS', async () => {
    const phones = [nextAgent(), newPhone()] as const
    const before = await stack.control.counters()
    const browsers = new Map(phones.map((phone) => [phone, newPerson(stack)]))
    const browserOf = (phone: string) => browsers.get(phone) ?? newPerson(stack)
    const ask = (phone: string) => askForCode(browserOf(phone), phone, 'agent')
    const outcomes: string[] = []
    const both = async (step: (phone: string) => Promise<Answer>) =>
      void outcomes.push(await alike(phones, 'agent', step))

    await both(ask)
    // A second request at once: by the same browser, and by another one.
    await both(ask)
    await both((phone) => askForCode(newPerson(stack), phone, 'agent'))
    const wrong = wrongCodes(await stack.control.codeFor(phones[0]), 6)
    for (let count = 0; count < 4; count += 1)
      await both((phone) => typeCode(browserOf(phone), phone, wrong[count], 'agent'))
    await stack.passTime(61 * second)
    await both(ask)
    for (let count = 0; count < 3; count += 1)
      await both((phone) => typeCode(browserOf(phone), phone, wrong[count], 'agent'))
    await both(ask)
    expect(outcomes).toEqual([
      ...['200', '200', '429 CODE_REQUESTED_TOO_SOON'],
      ...['400 CODE_INVALID', '400 CODE_INVALID', '400 CODE_USED_UP', '400 CODE_USED_UP'],
      ...['200', '400 CODE_INVALID', '400 CODE_INVALID', '429 TOO_MANY_WRONG_CODES'],
      '429 TOO_MANY_WRONG_CODES',
    ])
    expect(await stack.control.inbox(phones[1])).toEqual([])
    expect((await stack.control.counters()).sends).toBe(before.sends + 2)

    await stack.passTime(hour)
    await newPerson(stack).signInAgent(phones[0])
  })

  it('cause one call to the code service each, so that its response time shows for both', async () => {
    const phones = [nextAgent(), newPhone()] as const
    for (const phone of phones) {
      const person = newPerson(stack)
      await stack.control.setFault('otp', { kind: 'delay', delayMs: 1, count: 1 })
      expect((await askForCode(person, phone, 'agent')).status).toBe(200)
      expect(await stack.control.faults(), `asking for a code for ${phone}`).toEqual({})
      await stack.control.setFault('otp', { kind: 'delay', delayMs: 1, count: 1 })
      expect(outcomeOf(await typeCode(person, phone, 'ABCD'.replace(/\D/g, '0'), 'agent'))).toBe(
        '400 CODE_INVALID',
      )
      expect(await stack.control.faults(), `checking a code for ${phone}`).toEqual({})
    }
  })
})

describe('a phone with an account and one without', () => {
  it('are answered alike until the code has proven the ownership of the phone', async () => {
    const known = newPhone()
    const owner = newPerson(stack)
    await owner.signUp(known, 'Sara')
    await stack.passTime(2 * hour)
    const phones = [known, newPhone()] as const
    const browsers = new Map(phones.map((phone) => [phone, newPerson(stack)]))
    const browserOf = (phone: string) => browsers.get(phone) ?? newPerson(stack)
    for (const step of [
      (phone: string) => askForCode(browserOf(phone), phone),
      (phone: string) => askForCode(newPerson(stack), phone),
      async (phone: string) =>
        typeCode(browserOf(phone), phone, wrongCodes(await stack.control.codeFor(phone), 1)[0]),
      async (phone: string) => typeCode(newPerson(stack), phone, await stack.control.codeFor(phone)),
    ]) {
      const [one, other] = [await step(phones[0]), await step(phones[1])]
      expect(seenIn(one)).toEqual(seenIn(other))
    }
  })
})
