import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ownStack } from '#test/kit/in-process.ts'
import { hour, minute, passTime } from '#test/kit/passing-time.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, outcomeOf, typeCode, wrongCodes } from '#test/kit/sign-in.ts'
import type { Stack } from '#test/kit/stack.ts'

/**
 * Pumping and guessing so slowly that only the limits of a whole day stop it. The earlier hours are inserted as rows;
 * each attack continues from there, and an honest user can sign in meanwhile.
 */

const limits = {
  OTP_CODES_PER_PREFIX: '4',
  OTP_CODES_PER_COUNTRY: '20',
  OTP_DAILY_BUDGET: '100',
  TRUSTED_PROXIES: '127.0.0.1,::1',
}
const attacker = '198.51.100.7'
const busy = '429 SIGN_IN_BUSY'

let stack: Stack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack({ env: limits })
  rows = openRows(stack)
})
// Each test starts with empty counters.
afterEach(async () => {
  await passTime(stack, rows, 3 * 24 * hour)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

interface Past {
  readonly prefix?: string
  readonly country?: string
  readonly address?: string
  readonly outcome: 'unanswered' | 'answered' | 'joined' | 'refused'
}
/** Codes that were requested an hour ago by default: outside of every window of ten minutes. */
async function asked(
  count: number,
  { prefix = '+999', country = 'XX', address = 'x', outcome }: Past,
  ago = 59 * minute,
): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await rows.read(sql`insert into otp_events (kind, role, phone, prefix, country, address, trust, at, outcome)
      values ('send', 'user', ${`${prefix}${index}`}, ${prefix}, ${country}, ${address}, 'open', ${Date.now() - ago}, ${outcome})`)
}

let given = 0
/** Returns a different number each time. */
const next = () => {
  given += 1
  return given
}
/** Egyptian numbers that each have another prefix, and Saudi ones. */
const egyptian = () => `+2010${String(next()).padStart(4, '0')}1234`
const saudi = () => `+96655${String(next()).padStart(3, '0')}1234`

const from = (person: Person, address: string): Person => ({
  ...person,
  send: (method, path, request = {}) =>
    person.send(method, path, { ...request, headers: { ...request.headers, 'x-forwarded-for': address } }),
})
/** An honest user at an address of their own: requests a code and enters it. */
async function honest(
  phone: string,
  person = newPerson(stack),
  address = `192.0.2.${next()}`,
): Promise<string> {
  const caller = from(person, address)
  const answer = await askForCode(caller, phone)
  if (answer.status !== 200) return outcomeOf(answer)
  return outcomeOf(await typeCode(caller, phone, await stack.control.codeFor(phone)))
}
/** The number of codes that the attacker gets until one is refused, each in a browser of its own. */
async function pump(phoneOf: () => string, most = 30): Promise<number> {
  for (let sent = 0; sent < most; sent += 1) {
    const answer = await askForCode(from(newPerson(stack), attacker), phoneOf())
    if (answer.status === 200) continue
    expect(outcomeOf(answer)).toBe(busy)
    return sent
  }
  return most
}
const logged = (event: string) => stack.logs().filter((line) => line.includes(`sign-in.${event}`)).length

describe('the budget of a day', () => {
  it('ends for new devices at nineteen parts in twenty, and for known ones at its end', async () => {
    const [phone, owner] = [saudi(), newPerson(stack)]
    expect(await honest(phone, owner)).toBe('200')
    await passTime(stack, rows, 2 * minute)
    await asked(94, { outcome: 'answered' })
    expect(await honest(saudi())).toBe(busy)
    expect(await honest(phone, owner)).toBe('200')
    await passTime(stack, rows, 2 * minute)
    await asked(4, { outcome: 'answered' })
    expect(await honest(phone, owner)).toBe(busy)
  })

  it('is left to honest people by an address that has asked all day, wherever its numbers are', async () => {
    await asked(30, { outcome: 'unanswered' })
    expect(await pump(saudi)).toBe(2)
    expect(await honest(saudi())).toBe('200')
  })
})

describe('an address of many honest people', () => {
  it('goes on under restriction, because they enter what they ask for', async () => {
    await asked(30, { outcome: 'unanswered' })
    const hotel = '203.0.113.9'
    for (let index = 0; index < 4; index += 1)
      expect(await honest(saudi(), newPerson(stack), hotel)).toBe('200')
    // As many as have entered theirs, and two more, wait for their SMS at once.
    const guests = Array.from({ length: 6 }, () => ({
      phone: saudi(),
      person: from(newPerson(stack), hotel),
    }))
    for (const { phone, person } of guests) expect(outcomeOf(await askForCode(person, phone))).toBe('200')
    for (const { phone, person } of guests)
      expect(outcomeOf(await typeCode(person, phone, await stack.control.codeFor(phone)))).toBe('200')
  })
})

describe('phones that have an account', () => {
  it('pump no more than three times the number of their prefix; those of another prefix get in', async () => {
    const [phone, other] = [egyptian(), egyptian()]
    for (const each of [phone, other]) expect(await honest(each)).toBe('200')
    await passTime(stack, rows, 2 * minute)
    await asked(11, { prefix: phone.slice(0, -4), country: 'EG', outcome: 'answered' })
    expect(await honest(phone)).toBe(busy)
    expect(await honest(other)).toBe('200')
  })
})

describe('numbers of one country', () => {
  it('asked for from one address close no country, though no two share a prefix', async () => {
    // Three tenths of twenty; the address could leave twenty unanswered.
    expect(await pump(egyptian)).toBe(6)
    expect(await honest(egyptian())).toBe('200')
  })

  it('raise an alarm before they end', async () => {
    await asked(15, { country: 'EG', outcome: 'joined' })
    expect(await honest(egyptian())).toBe('200')
    expect(logged('country-low')).toBe(0)
    expect(await honest(egyptian())).toBe('200')
    expect(logged('country-low')).toBe(1)
  })
})

describe('numbers that the service refuses', () => {
  it('count against the address that asks for them, and against no other', async () => {
    await asked(20, { address: attacker, outcome: 'refused' }, minute)
    expect(await pump(saudi)).toBe(0)
    expect(await honest(saudi())).toBe('200')
  })
})

describe('a service that compares codes and loses its answers', () => {
  it('is worth six guesses per code, and the owner gets in with the next one', async () => {
    const [phone, guesser] = [saudi(), from(newPerson(stack), attacker)]
    expect(outcomeOf(await askForCode(guesser, phone))).toBe('200')
    const guesses = wrongCodes(await stack.control.codeFor(phone), 10)
    const { checks } = await stack.control.counters()
    await stack.control.setFault('otp', { kind: 'lose-answer' })
    const outcomes: string[] = []
    for (const guess of guesses) outcomes.push(outcomeOf(await typeCode(guesser, phone, guess)))
    await stack.control.endFaults()
    expect(outcomes).toEqual([...Array(6).fill('503 OTP_UNAVAILABLE'), ...Array(4).fill('400 CODE_USED_UP')])
    expect((await stack.control.counters()).checks - checks).toBeLessThanOrEqual(6)
    await passTime(stack, rows, 11 * minute)
    expect(await honest(phone)).toBe('200')
  })
})
