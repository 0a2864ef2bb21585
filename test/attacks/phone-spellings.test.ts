import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, minute, passTime } from '#test/kit/passing-time.ts'
import { newPerson } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, eventsOf, outcomeOf, sessionsOf, typeCode, wrongCodes } from '#test/kit/sign-in.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

let stack: Stack
let rows: Rows
beforeAll(async () => {
  stack = await startStack()
  rows = openRows(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const digits = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))

/** The ways of writing a Saudi number, `local` being its last nine digits. */
const spellings = (local: string) => [
  ...[`0${local}`, `966${local}`, `00966${local}`, `+966${local}`, `+9660${local}`, `009660${local}`],
  ...[
    `+966 ${local.slice(0, 2)} ${local.slice(2, 5)} ${local.slice(5)}`,
    `0${local.slice(0, 2)}-${local.slice(2, 5)}-${local.slice(5)}`,
  ],
  ...[
    digits(`0${local}`, 0x660),
    digits(`+966${local}`, 0x660),
    digits(`0${local}`, 0x6f0),
    digits(`+966${local}`, 0xff10),
  ],
  ...[
    `＋966${local}`,
    `  0${local}`,
    `0${local}  `,
    `\u00a0+966${local}\u00a0`,
    `0${local.slice(0, 4)}\u200b${local.slice(4)}`,
  ],
  ...[
    `\u200e+966${local}`,
    `\u202a+966${local}\u202c`,
    `\u2066+966${local}\u2069`,
    `\ufeff0${local}`,
    `+966\u00ad${local}`,
  ],
]

/** Texts that are not a phone, contain more than one, or name one that no SMS reaches. */
const refused: readonly unknown[] = [
  ...['+966512340001;isub=1', '0512340001;phone-context=+20', '512340001;phone-context=+966'],
  ...['+966512340001;ext=1', '+966512340001 ext 5', '+966512340001x123', '0512340001#5', '+966512340001,,1'],
  ...[
    '+966512340001,+966512340002',
    '+966512340001;+966512340002',
    '+966512340001 +966512340002',
    '+966512340001/2',
  ],
  ...[
    'tel:+966512340001',
    'sms:+966512340001',
    'call 0512340001',
    'x+966512340001',
    '(+966)512340001',
    '++966512340001',
  ],
  ...[
    'O512340001',
    '051234O001',
    '+96651234000',
    '+9665123400011',
    '+966112345678',
    '0112345678',
    '0000000000',
  ],
  ...[
    '+966512340001\n',
    '\n+966512340001',
    '+966512340001\r\nTo: +966512340002',
    '+966512340001\u0000',
    '+96651234\t0001',
  ],
  ...[
    '+966512340001&To=+966512340002',
    '+966512340001%00',
    '%2b966512340001',
    '<+966512340001>',
    '1'.repeat(32),
  ],
  ...[
    ['+966512340001'],
    ['+966512340001', '+966512340002'],
    { phone: '+966512340001' },
    966512340001,
    512340001,
  ],
  ...[null, true, [], {}, '', ' ', '+', '0', ' '.repeat(12), 'a'.repeat(33), '0512340001'.padEnd(40)],
]

describe('the spellings of one number', () => {
  it('are one number for the limits of codes: one SMS, however it is written', async () => {
    const before = (await stack.control.counters()).sends
    const [first = '', ...others] = spellings('512340001')
    expect(outcomeOf(await askForCode(newPerson(stack), first))).toBe('200')
    for (const phone of others)
      expect(outcomeOf(await askForCode(newPerson(stack), phone)), phone).toMatch(
        /^(429 CODE_REQUESTED_TOO_SOON|400 PHONE_INVALID|400 INVALID_REQUEST)$/,
      )
    expect((await stack.control.counters()).sends).toBe(before + 1)
    expect(await eventsOf(rows, '+966512340001')).toEqual({ 'send unanswered': 1 })
    const phones = await rows.read(
      sql<{ phone: string }>`select phone from otp_events union select phone from otp_challenges
        union select phone from otp_counters`,
    )
    expect(phones.map(({ phone }) => phone)).toEqual(['+966512340001'])
  })

  it('are one number for the limits of guesses', async () => {
    const local = '512340009'
    const phone = `+966${local}`
    const person = newPerson(stack)
    await askForCode(person, phone)
    const guesses = wrongCodes(await stack.control.codeFor(phone), spellings(local).length)
    const before = (await stack.control.counters()).checks
    for (const [index, spelling] of spellings(local).entries())
      await typeCode(person, spelling, guesses[index])
    expect((await stack.control.counters()).checks).toBe(before + 3)
    expect(await eventsOf(rows, phone)).toMatchObject({ 'check wrong': 3 })
  })

  it('are one user, whichever is used to request the code and to enter it', async () => {
    const local = '512340002'
    const phone = `+966${local}`
    const ways = spellings(local)
    for (const [index, spelling] of ways.slice(0, 12).entries()) {
      const person = newPerson(stack)
      expect(outcomeOf(await askForCode(person, spelling)), spelling).toBe('200')
      const code = await stack.control.codeFor(phone)
      expect(outcomeOf(await typeCode(person, ways[ways.length - 4 - index], code))).toBe('200')
      await passTime(stack, rows, day)
    }
    expect(await rows.read(sql`select id from users where phone = ${phone}`)).toHaveLength(1)
    expect(await sessionsOf(rows, phone)).toBe(12)
  })
})

describe('a text that is not a phone', () => {
  it.each(refused.map((value) => [JSON.stringify(value), value] as const))(
    '%s is refused before anything is counted, sent or stored',
    async (_, phone) => {
      const state = async () => [
        await stack.control.counters(),
        await rows.read(sql`select * from otp_events`),
        await rows.read(sql`select * from otp_challenges`),
      ]
      const before = await state()
      for (const screen of ['user', 'agent'] as const) {
        for (const answer of [
          await askForCode(newPerson(stack), phone, screen),
          await typeCode(newPerson(stack), phone, '1234', screen),
        ]) {
          expect(outcomeOf(answer)).toMatch(
            /^400 (PHONE_INVALID|PHONE_CANNOT_RECEIVE_CODES|INVALID_REQUEST)$/,
          )
          const { fields } = answer.json as { fields: { field: string }[] }
          expect(fields.map(({ field }) => field)).toEqual(['phone'])
        }
      }
      expect(await state()).toEqual(before)
    },
  )

  it('does not affect the next valid number', async () => {
    await passTime(stack, rows, 2 * minute)
    const person = newPerson(stack)
    const phone = '+966512340003'
    expect(outcomeOf(await askForCode(person, phone))).toBe('200')
    expect(outcomeOf(await typeCode(person, phone, await stack.control.codeFor(phone)))).toBe('200')
  })
})

describe('a code', () => {
  it.each([
    ...[
      ['1234'],
      ['1234', '1234'],
      { code: '1234' },
      1234,
      null,
      true,
      '',
      '123',
      '12345',
      ' 1234',
      '1234 ',
      '1 34',
    ],
    ...[
      '12a4',
      '1234\n',
      '१२३४',
      '①②③④',
      '0x1F',
      '+123',
      '-123',
      '1e10',
      '12.4',
      '\u200b1234',
      '*',
      '%',
      '____',
    ],
  ])('%j is refused before it is sent to the provider', async (code) => {
    const before = await stack.control.counters()
    const answer = await typeCode(newPerson(stack), '+966512340004', code)
    expect(outcomeOf(answer)).toBe('400 INVALID_REQUEST')
    expect(await stack.control.counters()).toEqual(before)
  })
})
