import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { minute, passTime, second } from '#test/kit/passing-time.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, type Screen, typeCode, verdictOf, wrongCodes } from '#test/kit/sign-in.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

/**
 * Somebody has codes sent that nobody will type in, for a share of what each SMS costs; or tries one guess at each of
 * many phones. No phone is asked too often, so only what the phones have in common can tell.
 */

/** Smaller than by default where that takes hundreds of numbers; the defaults have tests of their own. */
const limits = {
  OTP_UNANSWERED_PER_COUNTRY: '60/10m',
  OTP_UNANSWERED_PER_ADDRESS: '90/10m',
  OTP_UNANSWERED_IN_ALL: '120/10m',
  OTP_WRONG_PER_ADDRESS: '20/10m',
  OTP_WRONG_IN_ALL: '40/10m',
  OTP_SENDS_IN_ALL: '150/1m',
}

let stack: Stack
let proxied: Stack
let rows: Rows
let proxiedRows: Rows
beforeAll(async () => {
  ;[stack, proxied] = await Promise.all([
    startStack({ env: limits }),
    startStack({ env: { ...limits, TRUSTED_PROXIES: '127.0.0.1,::1' } }),
  ])
  rows = openRows(stack)
  proxiedRows = openRows(proxied)
})
// Each test has the ten minutes for itself.
afterEach(async () => {
  await passTime(stack, rows, 3 * 24 * 60 * minute)
  await passTime(proxied, proxiedRows, 3 * 24 * 60 * minute)
})
afterAll(async () => {
  await Promise.all([rows?.close(), proxiedRows?.close()])
  await Promise.all([stack?.close(), proxied?.close()])
})

let given = 0
/** Saudi numbers of which no two share more than what all share. */
const scattered = (count: number) =>
  Array.from({ length: count }, () => {
    given += 1
    return `+9665${[0, 3, 4, 5, 6, 8, 9][given % 7]}${String(given * 7_919)
      .padStart(7, '0')
      .slice(-7)}`
  })
/** Numbers of one block of ten thousand. */
const inBlock = (block: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${block}${String(1_000 + index)}`)

const from = (person: Person, address: string): Person => ({
  ...person,
  send: (method, path, request = {}) =>
    person.send(method, path, { ...request, headers: { ...request.headers, 'x-forwarded-for': address } }),
})

/** Asks for codes one after the other, each in a browser of its own, until one is refused; how many went out. */
async function pump(
  phones: readonly string[],
  { at = stack, address, screen }: { at?: Stack; address?: (index: number) => string; screen?: Screen } = {},
): Promise<{ sent: number; verdict: string | undefined; waitSeconds: number | undefined }> {
  for (const [index, phone] of phones.entries()) {
    const person = address ? from(newPerson(at), address(index)) : newPerson(at)
    const answer = await askForCode(person, phone, screen)
    if (answer.status !== 200)
      return {
        sent: index,
        verdict: verdictOf(answer),
        waitSeconds: Number(answer.headers.get('retry-after')),
      }
  }
  return { sent: phones.length, verdict: undefined, waitSeconds: undefined }
}

/** Somebody who asks for a code and types it in. */
async function honest(phone: string, at = stack, person = newPerson(at)): Promise<string> {
  const asked = await askForCode(person, phone)
  if (asked.status !== 200) return verdictOf(asked)
  return verdictOf(await typeCode(person, phone, await at.control.codeFor(phone)))
}

const sendsMade = async (at = stack) => (await at.control.counters()).sends
const sendsKept = async () =>
  (await rows.read(sql`select id from otp_events where kind = 'send' and at > ${Date.now() - 10 * minute}`))
    .length

describe('codes for numbers in a row', () => {
  it('end after thirty of one block, and other blocks do not notice', async () => {
    const before = await sendsMade()
    const pumped = await pump(inBlock('+96653771', 40))
    expect(pumped).toMatchObject({ sent: 30, verdict: '429 SIGN_IN_BUSY' })
    expect(pumped.waitSeconds).toBeGreaterThan(0)
    expect(pumped.waitSeconds).toBeLessThanOrEqual(600)
    expect(await sendsMade()).toBe(before + 30)
    expect(await sendsKept()).toBe(30)
    expect(await honest('+966537729999')).toBe('200')
    await passTime(stack, rows, 10 * minute)
    expect(await honest('+966537719999')).toBe('200')
  })

  it('end no sooner for spellings of the same numbers', async () => {
    const spelt = inBlock('+96653881', 40).map((phone, index) =>
      index % 2 === 0 ? phone.replace('+966', '0') : `00${phone.slice(1)}`,
    )
    expect(await pump(spelt)).toMatchObject({ sent: 30, verdict: '429 SIGN_IN_BUSY' })
  })
})

describe('codes for one country', () => {
  it('end at its limit; the rest of the world does not notice', async () => {
    const dutch = Array.from(
      { length: 80 },
      (_, index) => `+3161${String(index).padStart(3, '0')}0${index % 10}00`,
    )
    const before = await sendsMade()
    expect(await pump(dutch)).toMatchObject({ sent: 60, verdict: '429 SIGN_IN_BUSY' })
    expect(await sendsMade()).toBe(before + 60)
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
  })
})

describe('codes asked for from one address', () => {
  it('end at its limit, whatever the caller says its address is', async () => {
    const phones = [...scattered(50), ...foreign(60)]
    const before = await sendsMade()
    const pumped = await pump(phones, { address: (index) => `198.51.100.${index}` })
    expect(pumped).toMatchObject({ sent: 90, verdict: '429 SIGN_IN_BUSY' })
    expect(await sendsMade()).toBe(before + 90)
    const rowsOfIt = await rows.read(sql`select id from otp_events where address like '198.51.%'`)
    expect(rowsOfIt).toEqual([])
  })

  it('behind a trusted proxy are told by what the proxy has seen, and no lie on the left of it counts', async () => {
    const phones = [...scattered(50), ...foreign(60)]
    const pumped = await pump(phones, {
      at: proxied,
      address: (index) => `192.0.2.${index}, 203.0.113.${index}, 198.51.100.7`,
    })
    expect(pumped).toMatchObject({ sent: 90, verdict: '429 SIGN_IN_BUSY' })
    // A neighbour with an address of their own does not notice.
    const [phone = ''] = scattered(1)
    expect(await honest(phone, proxied, from(newPerson(proxied), '198.51.100.8'))).toBe('200')
  })

  it('are not made many by the addresses of one IPv6 network, nor by writing IPv4 as IPv6', async () => {
    const phones = [...scattered(50), ...foreign(60)]
    const pumped = await pump(phones, {
      at: proxied,
      address: (index) => `2001:db8:7:7:${index.toString(16)}::${index.toString(16)}`,
    })
    expect(pumped).toMatchObject({ sent: 90, verdict: '429 SIGN_IN_BUSY' })
    const [phone = ''] = scattered(1)
    expect(await honest(phone, proxied, from(newPerson(proxied), '2001:db8:7:8::1'))).toBe('200')
  })
})

describe('codes asked for from everywhere at once', () => {
  it('end at the breaker; a browser that is known still gets in', async () => {
    const [mine = ''] = scattered(1)
    const owner = newPerson(proxied)
    expect(await honest(mine, proxied, from(owner, '198.51.100.200'))).toBe('200')
    await owner.logout()
    await passTime(proxied, proxiedRows, 11 * minute)

    const before = await sendsMade(proxied)
    const phones = [...scattered(55), ...foreign(100)]
    const pumped = await pump(phones, { at: proxied, address: (index) => `203.0.113.${index}` })
    expect(pumped).toMatchObject({ sent: 120, verdict: '429 SIGN_IN_BUSY' })
    expect(await sendsMade(proxied)).toBe(before + 120)
    expect(await honest(mine, proxied, from(owner, '198.51.100.200'))).toBe('200')
    await passTime(proxied, proxiedRows, 10 * minute)
    expect(await honest(scattered(1)[0] ?? '', proxied)).toBe('200')
  })

  it('end at the ceiling also when every one is answered', async () => {
    const phones = [...scattered(100), ...foreign(60)]
    const verdicts: string[] = []
    for (const phone of phones) verdicts.push(await honest(phone))
    expect(verdicts.indexOf('429 SIGN_IN_BUSY')).toBe(150)
    await passTime(stack, rows, 61 * second)
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
  })
})

describe('codes that are not sent', () => {
  it('count like those that are: strangers on the agents’ screen pump nothing and learn nothing', async () => {
    const before = await sendsMade()
    const pumped = await pump(inBlock('+96653991', 40), { screen: 'agent' })
    expect(pumped).toMatchObject({ sent: 30, verdict: '429 SIGN_IN_BUSY' })
    expect(await sendsMade()).toBe(before)
  })
})

describe('one guess at each of many phones', () => {
  it('ends at the limit of wrong codes, before the code is compared; honest people get in by the next day', async () => {
    const phones = scattered(25)
    const verdicts: string[] = []
    const before = (await stack.control.counters()).checks
    for (const phone of phones) {
      const person = newPerson(stack)
      expect((await askForCode(person, phone)).status).toBe(200)
      const [wrong] = wrongCodes(await stack.control.codeFor(phone), 1)
      verdicts.push(verdictOf(await typeCode(person, phone, wrong)))
    }
    expect(verdicts.indexOf('429 SIGN_IN_BUSY')).toBe(20)
    expect((await stack.control.counters()).checks).toBe(before + 20)
    await passTime(stack, rows, 10 * minute)
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
  })

  it('leaves the browsers that are known alone', async () => {
    const [mine = ''] = scattered(1)
    const owner = newPerson(stack)
    expect(await honest(mine, stack, owner)).toBe('200')
    await passTime(stack, rows, 11 * minute)
    for (const phone of scattered(21)) {
      const person = newPerson(stack)
      await askForCode(person, phone)
      await typeCode(person, phone, wrongCodes(await stack.control.codeFor(phone), 1)[0])
    }
    expect(await honest(mine, stack, owner)).toBe('200')
  })
})

/** Numbers of many countries, a few of each. */
function foreign(count: number): string[] {
  const makers: readonly ((number: number) => string)[] = [
    (number) =>
      `+3162${String(number).padStart(3, '0')}${String(number * 37)
        .padStart(4, '0')
        .slice(-4)}`,
    (number) => `+4477001${String(number).padStart(5, '0')}`,
    (number) =>
      `+9053${String(number * 91)
        .padStart(4, '0')
        .slice(-4)}1${String(number).padStart(3, '0')}`,
    (number) =>
      `+20100${String(number).padStart(3, '0')}${String(number * 53)
        .padStart(4, '0')
        .slice(-4)}`,
    (number) =>
      `+62812${String(number).padStart(3, '0')}${String(number * 17)
        .padStart(5, '0')
        .slice(-5)}`,
  ]
  return Array.from({ length: count }, () => {
    given += 1
    return makers[given % makers.length]?.(given % 1_000) ?? ''
  })
}
