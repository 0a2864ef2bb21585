import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hour } from '#test/kit/basics/clock.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { askForCode, outcomeOf, typeCode } from '#test/kit/gateway/sign-in.ts'

/**
 * What the limits of sign-in leave to an attacker with many numbers and addresses. server/features/otp tests each limit alone;
 * here are the attacks that take many requests, and the addresses behind a proxy.
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
    limits: {
      codesPerPrefix: 4,
      codesPerCountry: 60,
      codesPerAddress: { count: 2, windowMs: hour },
    },
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

it('codes asked for from many addresses use up the budget, and a device that has signed in before goes on', async () => {
  const owner = from(newPerson(stack), '192.0.2.254')
  const phone = saudi()
  await askForCode(owner, phone)
  expect(outcomeOf(await typeCode(owner, phone, await stack.control.codeFor(phone)))).toBe('200')
  await stack.passTime(hour)
  let sent = 0
  for (let index = 0; index < 110; index += 1) {
    const answer = await askForCode(from(newPerson(stack), `203.0.113.${index}`), saudi())
    if (answer.status === 200) sent += 1
    else expect(outcomeOf(answer)).toBe(busy)
  }
  expect(sent).toBe(99)
  expect(await honest(saudi())).toBe(busy)
  expect(outcomeOf(await askForCode(owner, phone))).toBe('200')
})

it('numbers of one country asked for from one address close no country, though no two share a prefix', async () => {
  let sent = 0
  for (let round = 0; round < 24; round += 1) {
    sent += await pump(egyptian)
    await stack.passTime(hour)
  }
  expect(sent).toBe(48)
  expect(await honest(egyptian())).toBe('200')
})

it('codes are counted by the address that the proxy saw, not by forged ones to its left in X-Forwarded-For', async () => {
  const forged = (index: number) => `192.0.2.${index}, 203.0.113.${index}, ${attacker}`
  expect(await pump(saudi, forged)).toBe(2)
  expect(await honest(saudi())).toBe('200')
})
