import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logout } from '#shared/sessions/sessions.operations.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { minute, passTime } from '#test/kit/passing-time.ts'
import { type Answer, newPerson, type Person } from '#test/kit/person.ts'
import { createRandom, runSeed } from '#test/kit/random.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, outcomeOf, typeCode, wrongCodes } from '#test/kit/sign-in.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

/**
 * A camp of pilgrims behind one address of their carrier, with the limits as they are by default: five hundred sign in
 * within ten minutes, and none is refused.
 */

const people = 500
/** How many wait for their SMS at any moment: the arrivals of half a minute, at 500 in ten minutes. */
const waiting = 25

let stack: Stack
let rows: Rows
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'warn' } })
  rows = openRows(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

interface Guest {
  readonly phone: string
  readonly person: Person
  readonly habit: 'types it in' | 'mistypes once' | 'never types it in'
  /** The gateway's answer to the first request for a code. */
  asked: string
}

const crowd = (phoneOf: (index: number) => string, habitOf: (index: number) => Guest['habit']): Guest[] =>
  Array.from({ length: people }, (_, index) => ({
    phone: phoneOf(index),
    person: newPerson(stack),
    habit: habitOf(index),
    asked: 'not yet',
  }))

/** A busy machine may refuse requests for overload, before anything is counted: that is not a limit of sign-in. */
const patiently = (call: () => Promise<Answer>): Promise<string> =>
  eventually(
    async () => {
      const outcome = outcomeOf(await call())
      return outcome === '503 OVERLOADED' ? undefined : outcome
    },
    { withinMs: 60_000 },
  )

async function arrive(guest: Guest): Promise<string[]> {
  guest.asked = await patiently(() => askForCode(guest.person, guest.phone))
  return [guest.asked]
}

async function finish({ person, phone, habit, asked }: Guest): Promise<string[]> {
  // After a refusal there is no code to enter: the refusal is the result.
  if (habit === 'never types it in' || asked !== '200') return []
  const code = await stack.control.codeFor(phone)
  const outcomes: string[] = []
  if (habit === 'mistypes once') {
    const first = await patiently(() => typeCode(person, phone, wrongCodes(code, 1)[0]))
    outcomes.push(first === '400 CODE_INVALID' ? '200' : first)
  }
  outcomes.push(await patiently(() => typeCode(person, phone, code)))
  return outcomes
}

/** Each person requests a code in turn and enters it while the next ones request theirs. Returns every refusal. */
async function signInAll(guests: readonly Guest[]): Promise<string[]> {
  const refusals: string[] = []
  const note = (outcomes: readonly string[]) =>
    refusals.push(...outcomes.filter((outcome) => outcome !== '200'))
  for (let step = 0; step < people + waiting; step += 5) {
    const arriving = guests.slice(step, step + 5)
    const finishing = step < waiting ? [] : guests.slice(step - waiting, step - waiting + 5)
    await Promise.all([
      ...arriving.map(async (guest) => note(await arrive(guest))),
      ...finishing.map(async (guest) => note(await finish(guest))),
    ])
  }
  return refusals
}

const expected = (guests: readonly Guest[]) =>
  guests.filter(({ habit }) => habit !== 'never types it in').length
function signedIn(guests: readonly Guest[]): number {
  const cookies = guests.filter(({ person }) =>
    [...person.cookies.keys()].some((name) => name.startsWith('session')),
  )
  return cookies.length
}

const random = createRandom(runSeed)

describe('five hundred people behind one address', () => {
  // In the full run only: the last test has consecutive numbers and mistakes, where limits would be met first.
  if (isFull) {
    it('with consecutive numbers, as of SIM cards bought together, all sign in', async () => {
      const guests = crowd(
        (index) => `+96656770${String(1_000 + index)}`,
        () => 'types it in',
      )
      expect(await signInAll(guests)).toEqual([])
      expect(signedIn(guests)).toBe(people)
      await guests[0]?.person.call(logout)
      await passTime(stack, rows, 10 * minute)
    })

    it('with numbers of many countries, one in twenty giving up and one in twenty mistyping, no limit is met', async () => {
      const taken = new Set<string>()
      const newNumber = (): string => {
        const phone = `+9665${random.pick(['0', '3', '4', '5', '6', '8', '9'])}${String(random.between(1_000_000, 9_999_999))}`
        if (taken.has(phone) || phone.startsWith('+966500')) return newNumber()
        taken.add(phone)
        return phone
      }
      const habits = ['never types it in', 'mistypes once'] as const
      const guests = crowd(newNumber, (index) => habits[index % 20] ?? 'types it in')
      expect(await signInAll(guests), `seed ${runSeed}`).toEqual([])
      expect(signedIn(guests)).toBe(expected(guests))
      await passTime(stack, rows, 10 * minute)
    })
  }

  it('with consecutive numbers and the same mistakes, no limit is met', async () => {
    const guests = crowd(
      (index) => `+96656880${String(1_000 + index)}`,
      (index) => (['mistypes once', 'never types it in'] as const)[(index + 10) % 20] ?? 'types it in',
    )
    expect(await signInAll(guests)).toEqual([])
    expect(signedIn(guests)).toBe(expected(guests))
  })
})
