import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ownStack } from '#test/kit/in-process.ts'
import { minute, passTime } from '#test/kit/passing-time.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, outcomeOf, type Screen, typeCode, wrongCodes } from '#test/kit/sign-in.ts'
import type { Stack } from '#test/kit/stack.ts'

/**
 * SMS pumping (codes requested for a share of the price of each SMS, entered or not), one guess at each of many phones,
 * and both as a denial of service. No single phone exceeds its limits, so the limits of groups of phones must stop the
 * attack. In every attack an honest user signs in meanwhile.
 */

/** Smaller limits, where the defaults would take hundreds of numbers; the other stack has the defaults. */
const limits = {
  OTP_CODES_PER_COUNTRY: '60',
  OTP_ADDRESS_SHARE: '10',
  OTP_DAILY_BUDGET: '1000',
}
/** Of these: unanswered codes in ten minutes, of all before sign-in is restricted, and of one address. */
const [burst, burstOfAddress] = [50, 20]
/** By default: what restricts a block abroad. */
const strainOfBlock = 120

const proxies = { TRUSTED_PROXIES: '127.0.0.1,::1' }
let small: Stack
let usual: Stack
let smallRows: Rows
let usualRows: Rows
beforeAll(async () => {
  ;[small, usual] = await Promise.all([
    ownStack({ env: { ...limits, ...proxies } }),
    ownStack({ env: proxies }),
  ])
  smallRows = openRows(small)
  usualRows = openRows(usual)
})
// Each test starts with empty counters.
afterEach(async () => {
  await passTime(small, smallRows, 3 * 24 * 60 * minute)
  await passTime(usual, usualRows, 3 * 24 * 60 * minute)
})
afterAll(async () => {
  await Promise.all([smallRows?.close(), usualRows?.close()])
  await Promise.all([small?.close(), usual?.close()])
})

let given = 0
/** Saudi numbers that each have another prefix. */
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
/** Returns another client address for every request. */
const elsewhere = (index: number) => `203.0.${113 + Math.floor(index / 250)}.${index % 250}`

interface Pumped {
  readonly sent: number
  readonly outcome: string | undefined
  readonly waitSeconds: number | undefined
}

/** Requests codes one after the other, each in a browser of its own, until one is refused. Returns how many were sent. */
async function pump(
  phones: readonly string[],
  { at = small, address, screen }: { at?: Stack; address: (index: number) => string; screen?: Screen },
): Promise<Pumped> {
  for (const [index, phone] of phones.entries()) {
    const answer = await askForCode(from(newPerson(at), address(index)), phone, screen)
    if (answer.status !== 200)
      return {
        sent: index,
        outcome: outcomeOf(answer),
        waitSeconds: Number(answer.headers.get('retry-after')),
      }
  }
  return { sent: phones.length, outcome: undefined, waitSeconds: undefined }
}

const one = (address: string) => () => address
const attacker = '198.51.100.7'
const neighbour = '192.0.2.8'

/** An honest user: requests a code and enters it. */
async function honest(phone: string, { at = small, address = neighbour, person = newPerson(at) } = {}) {
  const caller = from(person, address)
  const asked = await askForCode(caller, phone)
  if (asked.status !== 200) return outcomeOf(asked)
  return outcomeOf(await typeCode(caller, phone, await at.control.codeFor(phone)))
}

const sendsMade = async (at = small) => (await at.control.counters()).sends
const checksMade = async (at = small) => (await at.control.counters()).checks

describe('codes that are typed in', () => {
  it('end for the new phones of a block abroad after four hundred a day; its known phones and all others get in', async () => {
    const at = usual
    const before = await sendsMade(at)
    const outcomes: string[] = []
    for (const [index, phone] of inBlock('+20100123', 420).entries())
      outcomes.push(await honest(phone, { at, address: elsewhere(index) }))
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(400)
    expect(outcomes.lastIndexOf('200')).toBe(399)
    expect(new Set(outcomes.slice(400))).toEqual(new Set(['429 SIGN_IN_BUSY']))
    expect(await sendsMade(at)).toBe(before + 400)
    await passTime(usual, usualRows, 11 * minute)
    expect(await honest('+201001231000', { at })).toBe('200')
    expect(await honest('+201001241000', { at })).toBe('200')
    expect(await honest(scattered(1)[0] ?? '', { at })).toBe('200')
  })

  it('end for the new phones of a country abroad at its number; the rest of the world does not notice', async () => {
    const dutch = Array.from(
      { length: 80 },
      (_, index) => `+3161${String(index).padStart(3, '0')}0${index % 10}00`,
    )
    const outcomes: string[] = []
    for (const [index, phone] of dutch.entries())
      outcomes.push(await honest(phone, { address: elsewhere(index) }))
    expect(outcomes.indexOf('429 SIGN_IN_BUSY')).toBe(60)
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
  })

  it('raise an alarm before the budget of the day ends', async () => {
    const warned = () => small.logs().filter((line) => line.includes('sign-in.budget-low'))
    expect(warned()).toEqual([])
    // The earlier hours of the attack are inserted as rows.
    await smallRows.read(sql`insert into otp_events (kind, role, phone, prefix, country, address, trust, at, outcome)
      select 'send', 'user', '+999' || value, '+999', 'XX', 'x', 'open', ${Date.now()}, 'answered'
      from json_each('[' || rtrim(replace(hex(zeroblob(800)), '00', '1,'), ',') || ']')`)
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
    expect(warned()).toHaveLength(1)
    expect(warned()[0]).not.toContain('198.51')
  })
})

describe('codes for expensive number ranges', () => {
  it.each(['+870773111632', '+881612345678', '+883510012345', '+979123456789', '+449091234567'])(
    'are never sent: %s',
    async (phone) => {
      const before = await sendsMade()
      const answer = await askForCode(from(newPerson(small), neighbour), phone)
      expect(outcomeOf(answer)).toBe('400 PHONE_CANNOT_RECEIVE_CODES')
      expect(await sendsMade()).toBe(before)
    },
  )
})

describe('codes asked for from one address', () => {
  it('close no block: after thirty of one, and a hundred, its numbers get in from everywhere', async () => {
    const at = usual
    await pump(inBlock('+96653771', 30), { at, address: one(attacker) })
    expect(await honest('+966537719990', { at })).toBe('200')
    expect(await honest('+966537719991', { at, address: attacker })).toBe('200')
    await passTime(usual, usualRows, 10 * minute)
    const pumped = await pump(inBlock('+96653771', 160).slice(30), { at, address: one(attacker) })
    expect(pumped.outcome).toBe('429 SIGN_IN_BUSY')
    expect(await honest('+966537719992', { at })).toBe('200')
    // Abroad, where the limit of a block is lower.
    await passTime(usual, usualRows, 10 * minute)
    expect(await pump(inBlock('+20100999', 130), { at, address: one(attacker) })).toMatchObject({
      sent: strainOfBlock,
      outcome: '429 SIGN_IN_BUSY',
    })
    expect(await honest('+201009999990', { at })).toBe('200')
  })

  it('end no later for spellings of the same numbers', async () => {
    const spelt = inBlock('+20100888', 130).map((phone, index) =>
      index % 2 === 0 ? phone.replace('+', '00') : `+20 ${phone.slice(3)}`,
    )
    expect(await pump(spelt, { at: usual, address: one(attacker) })).toMatchObject({
      sent: strainOfBlock,
    })
  })

  it('close no country: 620 asked for from three addresses leave the Kingdom open', async () => {
    const at = usual
    const before = await sendsMade(at)
    const addresses = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
    const refused: Pumped[] = []
    for (const address of addresses) refused.push(await pump(scattered(207), { at, address: one(address) }))
    expect(refused).toMatchObject(addresses.map(() => ({ sent: 125, outcome: '429 SIGN_IN_BUSY' })))
    for (const { waitSeconds } of refused) expect(waitSeconds).toBeLessThanOrEqual(60)
    expect(await sendsMade(at)).toBe(before + 375)
    expect(await honest(scattered(1)[0] ?? '', { at })).toBe('200')
    await passTime(usual, usualRows, 10 * minute)
    expect(await honest(scattered(1)[0] ?? '', { at, address: addresses[0] ?? '' })).toBe('200')
  })

  it('are counted by the address that the proxy saw, not by forged ones to its left in X-Forwarded-For', async () => {
    const address = (index: number) => `192.0.2.${index}, 203.0.113.${index}, ${attacker}`
    expect(await pump(scattered(30), { address })).toMatchObject({
      sent: burstOfAddress,
      outcome: '429 SIGN_IN_BUSY',
    })
    expect(await honest(scattered(1)[0] ?? '')).toBe('200')
  })

  it('are counted together for all addresses of one IPv6 network', async () => {
    const address = (index: number) => `2001:db8:7:${index.toString(16)}::${index.toString(16)}`
    expect(await pump(scattered(30), { address })).toMatchObject({ sent: burstOfAddress })
    expect(await honest(scattered(1)[0] ?? '', { address: '2001:db8:8::1' })).toBe('200')
  })

  it('do not stop known browsers behind the same address', async () => {
    const [mine = ''] = scattered(1)
    const person = newPerson(small)
    expect(await honest(mine, { person, address: attacker })).toBe('200')
    await from(person, attacker).logout()
    await passTime(small, smallRows, 11 * minute)
    await pump(scattered(30), { address: one(attacker) })
    expect(await honest(scattered(1)[0] ?? '', { address: attacker })).toBe('429 SIGN_IN_BUSY')
    expect(await honest(mine, { person, address: attacker })).toBe('200')
  })
})

describe('codes asked for from many addresses at once', () => {
  it('leave each of them two an hour, and every other address open for new phones', async () => {
    const [mine = ''] = scattered(1)
    const owner = newPerson(small)
    expect(await honest(mine, { person: owner })).toBe('200')
    await from(owner, neighbour).logout()
    await passTime(small, smallRows, 11 * minute)

    // Twenty addresses, numbers of many countries: until the limit of all addresses, and then two each.
    const before = await sendsMade()
    const address = (index: number) => `198.51.100.${index % 20}`
    const pumped = await pump([...scattered(burst), ...foreign(30)], { address })
    expect(pumped).toMatchObject({ sent: burst, outcome: '429 SIGN_IN_BUSY' })
    expect(pumped.waitSeconds).toBeLessThanOrEqual(60)
    for (let each = 0; each < 20; each += 1)
      expect((await pump(scattered(1), { address: () => address(each) })).sent).toBe(0)
    expect(await sendsMade()).toBe(before + burst)
    // A new phone at an address of its own, a second one at the same address, and a known browser.
    expect(await honest(scattered(1)[0] ?? '', { address: '192.0.2.77' })).toBe('200')
    expect(await honest(scattered(1)[0] ?? '', { address: '192.0.2.77' })).toBe('200')
    expect(await honest(mine, { person: owner, address: address(1) })).toBe('200')
    expect(small.logs().filter((line) => line.includes('sign-in.restricted'))).toHaveLength(1)
  })
})

describe('one address of many honest people', () => {
  it('sends forty neighbours of one foreign block their codes before the first of them types', async () => {
    const at = usual
    const guests = inBlock('+92300123', 40).map((phone) => ({
      phone,
      person: from(newPerson(at), neighbour),
    }))
    for (const { phone, person } of guests) expect(outcomeOf(await askForCode(person, phone))).toBe('200')
    for (const { phone, person } of guests)
      expect(outcomeOf(await typeCode(person, phone, await at.control.codeFor(phone)))).toBe('200')
  })
})

describe('codes that are not sent', () => {
  it('count like those that are: strangers on the agents’ screen cause no SMS and learn nothing', async () => {
    const before = await sendsMade()
    const pumped = await pump(inBlock('+96653991', 30), { address: one(attacker), screen: 'agent' })
    expect(pumped).toMatchObject({ sent: burstOfAddress, outcome: '429 SIGN_IN_BUSY' })
    expect(await sendsMade()).toBe(before)
  })
})

describe('one guess at each of many phones', () => {
  const guessAt = async (phone: string, address: string, tries: number, at: Stack) => {
    const person = from(newPerson(at), address)
    const asked = await askForCode(person, phone)
    if (asked.status !== 200) return [outcomeOf(asked)]
    const outcomes: string[] = []
    for (const wrong of wrongCodes(await at.control.codeFor(phone), tries))
      outcomes.push(outcomeOf(await typeCode(person, phone, wrong)))
    return outcomes
  }

  it('closes nothing: three wrong codes at each of 167 phones slow the guesses down, and honest people get in', async () => {
    const at = usual
    const before = await checksMade(at)
    for (const [index, phone] of scattered(167).entries()) await guessAt(phone, elsewhere(index), 3, at)
    expect((await checksMade(at)) - before).toBeGreaterThanOrEqual(500)
    // Now a code allows one wrong try.
    const [last = ''] = scattered(1)
    expect(await guessAt(last, '198.51.100.9', 3, at)).toEqual(Array(3).fill('400 CODE_USED_UP'))
    expect(await honest(scattered(1)[0] ?? '', { at })).toBe('200')
    expect(await honest(scattered(1)[0] ?? '', { at, address: elsewhere(1) })).toBe('200')
    await passTime(usual, usualRows, 10 * minute)
    expect(await guessAt(scattered(1)[0] ?? '', neighbour, 1, at)).toEqual(['400 CODE_INVALID'])
  })

  it('from one address slows that address down; right codes are still accepted there', async () => {
    const at = usual
    const before = await checksMade(at)
    for (const phone of scattered(60)) await guessAt(phone, attacker, 3, at)
    // Twenty-five, those of the code under way, and then one each.
    expect((await checksMade(at)) - before).toBeLessThanOrEqual(27 + 52)
    expect(await honest(scattered(1)[0] ?? '', { at, address: attacker })).toBe('200')
    expect(await guessAt(scattered(1)[0] ?? '', neighbour, 2, at)).toEqual(Array(2).fill('400 CODE_INVALID'))
  })

  it('does not affect known browsers', async () => {
    const at = usual
    const [mine = ''] = scattered(1)
    const owner = newPerson(at)
    expect(await honest(mine, { at, person: owner, address: attacker })).toBe('200')
    await passTime(usual, usualRows, 11 * minute)
    for (const phone of scattered(30)) await guessAt(phone, attacker, 1, at)
    const known = from(owner, attacker)
    await askForCode(known, mine)
    const code = await at.control.codeFor(mine)
    expect(outcomeOf(await typeCode(known, mine, wrongCodes(code, 1)[0]))).toBe('400 CODE_INVALID')
    expect(outcomeOf(await typeCode(known, mine, code))).toBe('200')
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
