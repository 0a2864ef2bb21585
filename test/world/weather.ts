import type { ShippingScenario } from '#mock/shipping/shipping.scenarios.ts'
import { minute, second } from '#test/kit/basics/clock.ts'
import type { Random } from '#test/kit/basics/random.ts'
import { type Fate, fates } from './network.ts'
import type { Reality } from './reality.ts'

/** What can be left out of a world. */
export const troubles = ['network', 'crashes', 'clocks', 'lag', 'courier', 'power'] as const
export type Trouble = (typeof troubles)[number]

/** After it nothing goes wrong any more. */
export const roughMs = 40 * minute

/** How rough a world is: drawn once, so that most worlds have one trouble and some have all. */
export interface Weather {
  /** True until the last fault. */
  isRough(): boolean
  /** Of a message between a gateway and a service. @param path of its URL */
  fateOf(path: string): Fate
  /** Makes calls whose path has this part fail from now on, for so long. */
  interrupt(part: string, ms: number): void
  /** Of a person's request. */
  fateOnPhone(): Fate
  /** Whether the bank takes a refund and forgets it. */
  forgetsRefund(): boolean
  /** Whether a gateway dies at the statement that runs now. */
  isCrash(): boolean
  /** Whether power is cut at the statement that runs now. */
  isPowerCut(): boolean
  /** Whether a clock is set now. */
  isClockSet(): boolean
  /** Of a gateway at its start, in milliseconds ahead of true time. */
  clockAtStart(): number
  /** How the courier answers until the last fault. */
  readonly shippingScenarios: readonly ShippingScenario[]
  /** How long look-ups may lag, in milliseconds. */
  readonly shippingLagMs: number
  readonly paymentLagMs: number
}

const allFates = Object.keys(fates) as [Fate, ...Fate[]]
/** What fails together for some time, by parts of its paths: a service, one of its calls, or the way to it and back. */
const failing: readonly [readonly string[], ...(readonly string[])[]] = [
  ['/otp/'],
  ['/payment/'],
  ['/payment/', '/api/payments/'],
  ['/transaction_inquiry', '/api/payments/'],
  ['/void_refund/'],
  ['/shipping/'],
  ['/shipping/', '/api/tracking/'],
  ['/shipping/api/shipment/'],
  ['/messaging/'],
]
const fatesOfSpells: readonly [Fate, ...Fate[]] = [
  'refused',
  'lost',
  'answer-lost',
  'broken',
  'late',
  'failed-before',
  'failed-after',
  'garbage',
  'throttled',
]
const fatesOnPhone = ['lost', 'answer-lost', 'broken', 'twice'] as const satisfies readonly Fate[]

export function drawWeather(random: Random, reality: Reality, calm: ReadonlySet<Trouble>): Weather {
  const startAt = reality.now()
  const isRough = () => reality.now() - startAt < roughMs
  const has = (trouble: Trouble) => !calm.has(trouble) && isRough()

  // Everything is drawn, also what is left out: the rest of the world then stays as it was.
  const roughness = random.pick([0, 0.02, 0.08, 0.25])
  const spells = Array.from({ length: random.between(0, 4) }, () => ({
    what: random.pick<readonly string[]>(failing),
    fate: random.pick(fatesOfSpells),
    from: startAt + random.between(0, roughMs),
    ms: random.between(10 * second, 15 * minute),
  }))
  /** Callbacks of payments do not arrive at all. */
  const isUnheard = random.chance(0.25)
  const crashChance = random.pick([0, 0, 1 / 2_000, 1 / 500])
  const statementsPerCut = random.pick([0, 0, 0, 1_500])
  const hasPowerCuts = !calm.has('power') && statementsPerCut > 0
  const drawCut = () => 1 + Math.floor(-Math.log(1 - random.next()) * statementsPerCut)
  let untilCut = drawCut()
  const clockChance = random.pick([0, 1 / 1_000])
  const paymentLagMs = random.pick([0, 0, 20 * second])
  const scenarios = random.pick<readonly ShippingScenario[]>([
    [],
    [],
    ['no-label'],
    ['label-late'],
    ['null-file', 'numbers'],
    ['sparse', 'no-create-date'],
    ['text-in-200'],
    ['created-but-500'],
    ['created-but-502'],
    ['unknown-is-empty'],
  ])

  return {
    isRough,
    fateOf(path) {
      if (!has('network')) return 'answered'
      if (isUnheard && path === '/api/payments/callback') return 'lost'
      const now = reality.now()
      const spell = spells.find(
        ({ what, from, ms }) => what.some((part) => path.includes(part)) && now >= from && now < from + ms,
      )
      if (spell && random.chance(0.8)) return spell.fate
      return random.chance(roughness) ? random.pick(allFates) : 'answered'
    },
    interrupt(part, ms) {
      spells.push({
        what: [part],
        fate: 'failed-before',
        from: reality.now(),
        ms,
      })
    },
    fateOnPhone: () =>
      has('network') && random.chance(roughness) ? random.pick([...fatesOnPhone]) : 'answered',
    forgetsRefund: () => has('network') && random.chance(roughness),
    isCrash: () => has('crashes') && random.chance(crashChance),
    isPowerCut() {
      if (!hasPowerCuts || !isRough()) return false
      untilCut -= 1
      if (untilCut > 0) return false
      untilCut = drawCut()
      return true
    },
    isClockSet: () => has('clocks') && random.chance(clockChance),
    clockAtStart: () => (calm.has('clocks') ? 0 : random.pick([0, 0, random.between(-100, 100) * second])),
    shippingScenarios: calm.has('courier') ? [] : scenarios,
    shippingLagMs: calm.has('lag') ? 0 : 40 * second,
    paymentLagMs: calm.has('lag') ? 0 : paymentLagMs,
  }
}
