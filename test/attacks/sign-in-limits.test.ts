import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hour } from '#test/kit/clock.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { askForCode, outcomeOf, typeCode } from '#test/kit/sign-in.ts'

/**
 * What the limits of sign-in leave to an attacker with many numbers and addresses. Each limit alone is told in
 * server/features/otp (decision 0011 names the tests); here are the two that only many requests show, and the addresses
 * behind a proxy.
 */

const attacker = '198.51.100.7'
const busy = '429 SIGN_IN_BUSY'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({
    env: {
      OTP_DAILY_BUDGET: '100',
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
    limits: { codesPerPrefix: 4, codesPerCountry: 20 },
  })
})
// Each test starts with empty counters.
afterEach(() => stack.passTime(3 * 24 * hour))
afterAll(() => stack?.close())

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
async function honest(phone: string): Promise<string> {
  const caller = from(newPerson(stack), `192.0.2.${next()}`)
  const answer = await askForCode(caller, phone)
  if (answer.status !== 200) return outcomeOf(answer)
  return outcomeOf(await typeCode(caller, phone, await stack.control.codeFor(phone)))
}

/** The number of codes that are sent until one is refused, each asked for in a browser of its own. */
async function pump(phoneOf: () => string, addressOf = (_: number) => attacker): Promise<number> {
  for (let sent = 0; sent < 30; sent += 1) {
    const answer = await askForCode(from(newPerson(stack), addressOf(sent)), phoneOf())
    if (answer.status === 200) continue
    expect(outcomeOf(answer)).toBe(busy)
    return sent
  }
  return 30
}

it('codes asked for within minutes from many addresses leave each of them two an hour, and others open', async () => {
  // The burst of all addresses together. Each alone could leave twenty unanswered.
  for (let index = 0; index < 20; index += 1)
    await askForCode(from(newPerson(stack), `203.0.113.${index}`), saudi())
  expect(await pump(saudi)).toBe(2)
  expect(await honest(saudi())).toBe('200')
})

it('numbers of one country asked for from one address close no country, though no two share a prefix', async () => {
  // Three tenths of twenty.
  expect(await pump(egyptian)).toBe(6)
  expect(await honest(egyptian())).toBe('200')
})

it('codes are counted by the address that the proxy saw, not by forged ones to its left in X-Forwarded-For', async () => {
  const forged = (index: number) => `192.0.2.${index}, 203.0.113.${index}, ${attacker}`
  expect(await pump(saudi, forged)).toBe(20)
  expect(await honest(saudi())).toBe('200')
})
