import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { day, hour, minute, second } from '#test/kit/clock.ts'
import { isFull } from '#test/kit/full-run.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { type Answer, newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, eventsOf, outcomeOf, sessionsOf, typeCode, wrongCodes } from '#test/kit/sign-in.ts'

/** Two gateways on one database race in server/features/otp/otp.races.test.ts. */
const races = isFull ? 20 : 3

/** Raises the limits of groups, which have tests of their own: here all guesses come from one address. */
const wideGroups = { OTP_ADDRESS_SHARE: '100' }

describe('guessing codes', () => {
  let stack: InProcessStack
  let rows: Rows
  beforeAll(async () => {
    stack = await ownStack({ env: wideGroups })
    rows = openRows(stack)
  })
  afterAll(async () => {
    await rows?.close()
    await stack?.close()
  })

  /** The same browser, several times at once. */
  const everywhere = (person: Person, count: number) =>
    Array.from({ length: count }, () => newPerson(stack, { browserOf: person }))
  const checksMade = async () => (await stack.control.counters()).checks

  async function codeAskedFor(phone: string, person = newPerson(stack)) {
    expect(outcomeOf(await askForCode(person, phone))).toBe('200')
    return { person, code: await stack.control.codeFor(phone) }
  }

  async function guess(person: Person, phone: string, codes: readonly string[]): Promise<string[]> {
    const outcomes: string[] = []
    for (const code of codes) outcomes.push(outcomeOf(await typeCode(person, phone, code)))
    return outcomes
  }

  /** Enters `count` wrong codes; requests new codes and lets time pass as needed. */
  async function guessPatiently(phone: string, count: number, pauseMs: number): Promise<Person> {
    let person = newPerson(stack)
    for (let left = count; left > 0; left -= 3) {
      const asked = await codeAskedFor(phone)
      person = asked.person
      await guess(person, phone, wrongCodes(asked.code, Math.min(3, left)))
      await stack.passTime(pauseMs)
    }
    return person
  }

  it('one code opens one session, however often it is entered at the same time', async () => {
    for (let race = 0; race < races; race += 1) {
      const phone = newPhone()
      const { person, code } = await codeAskedFor(phone)
      const answers = await Promise.all(everywhere(person, 8).map((each) => typeCode(each, phone, code)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.every(({ status }) => status < 500)).toBe(true)
      expect(await sessionsOf(rows, phone)).toBe(1)
      const users = await rows.read(sql`select id from users where phone = ${phone}`)
      expect(users).toHaveLength(1)
    }
  })

  it('parallel guesses share one budget of three, and the right code among the rest comes too late', async () => {
    for (let race = 0; race < races; race += 1) {
      const phone = newPhone()
      const { person, code } = await codeAskedFor(phone)
      const before = await checksMade()
      const guesses = wrongCodes(code, 10)
      const answers = await Promise.all(
        everywhere(person, guesses.length).map((each, index) => typeCode(each, phone, guesses[index])),
      )
      expect(answers.every(({ status }) => status === 400)).toBe(true)
      expect((await checksMade()) - before).toBeLessThanOrEqual(3)
      expect((await eventsOf(rows, phone))['check wrong']).toBeLessThanOrEqual(3)
      expect(outcomeOf(await typeCode(person, phone, code))).toBe('400 CODE_USED_UP')
      expect(await sessionsOf(rows, phone)).toBe(0)
    }
  })

  it('the budget of a phone is not renewed by another code, browser or screen', async () => {
    const phone = newPhone()
    const first = await codeAskedFor(phone)
    expect(await guess(first.person, phone, wrongCodes(first.code, 3))).toEqual([
      '400 CODE_INVALID',
      '400 CODE_INVALID',
      '400 CODE_USED_UP',
    ])
    await stack.passTime(61 * second)
    const again = await codeAskedFor(phone, first.person)
    await guess(again.person, phone, wrongCodes(again.code, 2))
    const before = await stack.control.counters()

    const locked = async (person: Person) => {
      for (const answer of [await typeCode(person, phone, again.code), await askForCode(person, phone)]) {
        expect(['429 TOO_MANY_WRONG_CODES', '400 CODE_INVALID']).toContain(outcomeOf(answer))
        if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000)
      }
      expect(outcomeOf(await askForCode(person, phone))).toBe('429 TOO_MANY_WRONG_CODES')
    }
    await locked(again.person)
    await stack.passTime(2 * minute)
    await locked(again.person)
    await locked(newPerson(stack))
    // The other screen has a count of its own, which does not raise the limit here.
    expect((await askForCode(again.person, phone, 'agent')).status).toBe(200)
    expect(outcomeOf(await typeCode(again.person, phone, '0000', 'agent'))).toBe('400 CODE_INVALID')
    await locked(again.person)

    expect(await stack.control.counters()).toEqual(before)
    expect(await eventsOf(rows, phone)).toMatchObject({ 'check wrong': 5 })
    expect(await sessionsOf(rows, phone)).toBe(0)

    // The owner has to wait, and can then sign in.
    await stack.passTime(hour)
    const later = await codeAskedFor(phone)
    expect(outcomeOf(await typeCode(later.person, phone, later.code))).toBe('200')
  })

  it('slow guessing does not help either: ten wrong codes a day, and after twenty in a row the phone is locked', async () => {
    const phone = newPhone()
    await guessPatiently(phone, 5, 31 * minute)
    await stack.passTime(hour)
    await guessPatiently(phone, 5, 31 * minute)
    await stack.passTime(hour)
    expect(outcomeOf(await askForCode(newPerson(stack), phone))).toBe('429 TOO_MANY_WRONG_CODES')
    await stack.passTime(day)
    await guessPatiently(phone, 5, 31 * minute)
    await stack.passTime(hour)
    await guessPatiently(phone, 5, 31 * minute)
    const before = await stack.control.counters()
    for (let month = 0; month < 3; month += 1) {
      await stack.passTime(30 * day)
      const answer = await askForCode(newPerson(stack), phone)
      expect(outcomeOf(answer)).toBe('429 PHONE_LOCKED')
    }
    expect(await stack.control.counters()).toEqual(before)
    expect(await sessionsOf(rows, phone)).toBe(0)
  })

  it('a right code resets the count: a user who often mistypes is never locked', async () => {
    const phone = newPhone()
    let answer: Answer | undefined
    for (let time = 0; time < 9; time += 1) {
      const { person, code } = await codeAskedFor(phone)
      await guess(person, phone, wrongCodes(code, 2))
      answer = await typeCode(person, phone, code)
      expect(outcomeOf(answer)).toBe('200')
      await stack.passTime(10 * hour)
    }
    const [row] = await rows.read(
      sql<{
        wrong: number
      }>`select consecutive_failures as wrong from otp_counters where phone = ${phone} and role = 'user'`,
    )
    expect(Number(row?.wrong)).toBe(0)
  })

  it('a code does not sign in in another browser, on the other screen, for another phone, a second time or too late', async () => {
    const phone = newPhone()
    const { person, code } = await codeAskedFor(phone)
    const stranger = newPerson(stack)
    const other = newPhone()
    await askForCode(stranger, other)
    const before = await checksMade()
    expect(outcomeOf(await typeCode(newPerson(stack), phone, code))).toBe('400 CODE_INVALID')
    expect(outcomeOf(await typeCode(stranger, phone, code))).toBe('400 CODE_INVALID')
    expect(outcomeOf(await typeCode(person, phone, code, 'agent'))).toBe('400 CODE_INVALID')
    expect(outcomeOf(await typeCode(person, other, code))).toBe('400 CODE_INVALID')
    // None of these reached the provider: a stranger cannot use up the owner's tries.
    expect(await checksMade()).toBe(before)

    expect(outcomeOf(await typeCode(person, phone, code))).toBe('200')
    expect(outcomeOf(await typeCode(person, phone, code))).toBe('400 CODE_INVALID')
    const twin = newPerson(stack, { browserOf: person })
    expect(outcomeOf(await typeCode(twin, phone, code))).toBe('400 CODE_INVALID')
    expect(await checksMade()).toBe(before + 1)
    expect(await sessionsOf(rows, phone)).toBe(1)
    await person.call(readUserSession)

    const late = newPhone()
    const asked = await codeAskedFor(late)
    await stack.passTime(5 * minute + second)
    expect(outcomeOf(await typeCode(asked.person, late, asked.code))).toBe('400 CODE_INVALID')
    expect(await sessionsOf(rows, late)).toBe(0)
  })

  it('the agents’ screen has the same limits as the pilgrims’', async () => {
    const phone = '+966500000104'
    const agent = newPerson(stack)
    const attempt = async (person: Person, count: number) => {
      expect((await askForCode(person, phone, 'agent')).status).toBe(200)
      const code = await stack.control.codeFor(phone)
      const outcomes: string[] = []
      for (const wrong of wrongCodes(code, count))
        outcomes.push(outcomeOf(await typeCode(person, phone, wrong, 'agent')))
      return { code, outcomes }
    }
    const { outcomes } = await attempt(agent, 3)
    expect(outcomes).toEqual(['400 CODE_INVALID', '400 CODE_INVALID', '400 CODE_USED_UP'])
    await stack.passTime(61 * second)
    const { code } = await attempt(newPerson(stack), 2)
    const before = await checksMade()
    for (const person of [agent, newPerson(stack)]) {
      expect((await typeCode(person, phone, code, 'agent')).status).toBeGreaterThanOrEqual(400)
      expect(outcomeOf(await askForCode(person, phone, 'agent'))).toMatch(/^429 /)
    }
    expect(await checksMade()).toBe(before)
    expect(await sessionsOf(rows, phone, 'agent')).toBe(0)

    await stack.passTime(hour)
    await agent.signInAgent(phone)
    expect(await sessionsOf(rows, phone, 'agent')).toBe(1)
  })

  it('codes are sent as often as a person needs them and not more often, from any browser', async () => {
    const phone = newPhone()
    const sendsMade = async () => (await stack.control.counters()).sends
    const before = await sendsMade()
    const answers = await Promise.all(
      everywhere(newPerson(stack), races).map((person) => askForCode(person, phone)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sendsMade()).toBe(before + 1)
    for (const pauseMs of [61 * second, 61 * second]) {
      await stack.passTime(pauseMs)
      expect((await askForCode(newPerson(stack), phone)).status).toBe(200)
    }
    await stack.passTime(61 * second)
    const refused = await askForCode(newPerson(stack), phone)
    expect(outcomeOf(refused)).toBe('429 TOO_MANY_CODES')
    expect(Number(refused.headers.get('retry-after'))).toBe(
      (refused.json as { retryAfterSeconds: number }).retryAfterSeconds,
    )
    expect(await sendsMade()).toBe(before + 3)
    expect(await eventsOf(rows, phone)).toEqual({ 'send unanswered': 3 })
    await stack.passTime(10 * minute)
    const asked = await codeAskedFor(phone)
    expect(outcomeOf(await typeCode(asked.person, phone, asked.code))).toBe('200')
  })
})
