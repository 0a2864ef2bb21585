import { createHash } from 'node:crypto'
import { plausibleTime } from '#server/platform/reported-time.ts'
import type { AlertKind, EventKind, TravelState } from '#shared/orders/travel.schemas.ts'
import { isMoving } from '#shared/orders/travel-states.rules.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { isSameCity } from '#shared/platform/city-names.ts'
import type { Scan } from './tracking.provider.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const callTimeoutMs = 15_000
/** The lease is longer than a call, because up to twenty bags are recorded after the call. */
export const leaseMs = 4 * callTimeoutMs

interface Meaning {
  readonly kind: EventKind
  readonly alert?: AlertKind
}

type Entry = Meaning | 'branch'

const all = (codes: string, entry: Entry): [string, Entry][] =>
  codes
    .split('|')
    .map((code) => code.trim())
    .map((code) => [code, entry])

/**
 * Codes and older texts of the courier (docs/wires/tracking.md T12 to T20). A code that is missing here is shown with
 * the courier's words and is no step of the bag.
 */
const meanings: ReadonlyMap<string, Entry> = new Map([
  ...all('PU|PKD|PICKED UP', { kind: 'picked-up' }),
  // "Collected from Retail": the courier took the bag from a counter. The owner does not have it.
  ...all('RTOPS|COLLECTED FROM RETAIL', { kind: 'in-transit' }),
  ...all('SOP|HIP|HOP|HOT|HOR|DF|ST68|ST44|ST50|DEX41|UTLX|FD|TN|AF|OD', { kind: 'in-transit' }),
  ...all('DEPARTED FORM ORIGIN|DEPARTED FROM ORIGIN|ARRIVED HUB FACILITY|DEPARTED HUB FACILITY', {
    kind: 'in-transit',
  }),
  ...all('AT SMSA FACILITY|IN SMSA FACILITY|ARRIVED DELIVERY FACILITY|OUT FOR DELIVERY', {
    kind: 'in-transit',
  }),
  ...all('CC|RTIN|ST41|HAL|AT SMSA RETAIL CENTER|AWAITING CONSIGNEE FOR COLLECTION', 'branch'),
  ...all('PROCESSING FOR CONSIGNEE COLLECTION', 'branch'),
  ...all('DL|POD|DEX09|PROOF OF DELIVERY CAPTURED', { kind: 'collected' }),
  // CA means "closed on arrival", not "cancelled".
  ...all('DE|DEX03|DEX08|DEX8X|NH|DEX29|RD|DEX42|WC|DEX93|DEX84|BA|CA|MS|OH|UTI', { kind: 'exception' }),
  ...all('CONSIGNEE NO RESPONSE|CONSIGNEE MOBILE OFF|CONSIGNEE NOT AVAILABLE|CONSIGNEE DID NOT WAIT', {
    kind: 'exception',
  }),
  ...all('CONSIGNEE ADDRESS CHANGED|INCORRECT DELIVERY ADDRESS|SHIPMENT ON HOLD', { kind: 'exception' }),
  ...all('SHIPMENT REFUSE BY RECIPIENT', { kind: 'exception' }),
  ...all('DEX17|DMG', { kind: 'exception', alert: 'damaged' }),
  ...all('DEX34', { kind: 'exception', alert: 'destroyed' }),
  ...all('MISS', { kind: 'exception', alert: 'missing' }),
  ...all('CAN|CANCELLED ON CLIENTS REQUEST', { kind: 'exception', alert: 'cancelled' }),
  ...all('DEX14|PRC|RPMX|RTS|RTSIN|CODRTS|RTO|RTN|BTRO|RTI|BTRI', { kind: 'returning', alert: 'returning' }),
  ...all('RETURN PROCESS STARTED|RETURNED TO CLIENT', { kind: 'returning', alert: 'returning' }),
])

/** Families of scan codes: `DEX03-16` is a bad address, `DEX07A` and `ST60-2` are movements. */
const families: readonly (readonly [RegExp, Meaning])[] = [
  [/^DEX03-\d{1,2}$/, { kind: 'exception' }],
  [/^DEX07[A-Z0-9-]{0,4}$/, { kind: 'in-transit' }],
  [/^ST60-[A-Z0-9]{1,4}$/, { kind: 'in-transit' }],
]

/** With these codes a bag is at a counter. In its city of origin it waits there for the courier. */
const counterCodes = new Set(['RTIN', 'ST41', 'AT SMSA RETAIL CENTER'])

export interface Route {
  readonly from: string | undefined
  readonly to: string | undefined
}

const unknown: Meaning = { kind: 'unknown' }

const keyOfCode = (code: string) => code.toUpperCase().replace(/\s+/g, ' ')

const entryOf = (key: string): Entry | undefined =>
  meanings.get(key) ?? families.find(([pattern]) => pattern.test(key))?.[1]

export const isKnownCode = (code: string): boolean => entryOf(keyOfCode(code)) !== undefined

/** Looks at one scan only; `carriedOf` also looks at earlier scans. */
export function meaningOf({ code, city }: Pick<Scan, 'code' | 'city'>, route: Route): Meaning {
  const key = keyOfCode(code)
  const entry = entryOf(key) ?? unknown
  if (entry !== 'branch') return entry
  if (isIn(city, route.to)) return { kind: 'at-branch' }
  // The courier has no counter in Mina, so bags from Mina start in Makkah.
  const isAtOrigin = isIn(city, route.from) || (isIn('Mina', route.from) && isIn(city, 'Makkah'))
  return counterCodes.has(key) && isAtOrigin ? { kind: 'handed-over' } : unknown
}

function isIn(city: string | undefined, of: string | undefined) {
  if (city === undefined || of === undefined) return false
  return isSameCity(city, of) || city.toUpperCase() === cityCode(of)
}

/**
 * The courier gives a scan no number, and sends scans again (docs/wires/tracking.md T8). The key is a hash, because
 * code and city can contain names.
 */
export function eventKeyOf(awb: string, { code, time, zone, city }: Scan): string {
  const identity = [awb, code.toUpperCase(), time, zone, city ?? ''].join('|')
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22)
}

const clockDifferenceMs = hourMs

/** A scan before `requestedAt` belongs to an earlier parcel with the same airway bill number. */
export const scanTime = (at: Scan['at'], requestedAt: number, now: number) =>
  plausibleTime(at, { from: requestedAt - clockDifferenceMs, to: now })

/** True when a bag was collected without a hand-over, or moved after its order was cancelled. */
export function isContradiction(
  kinds: readonly EventKind[],
  before: TravelState | null,
  after: TravelState | null,
): boolean {
  const moved = kinds.some((kind) => kind === 'picked-up' || kind === 'in-transit' || kind === 'handed-over')
  const collected = kinds.includes('collected')
  if (after === 'CANCELLED') return moved || collected || kinds.includes('at-branch')
  return (before === 'READY' || before === 'AWAITING_LABEL' || before === null) && collected && !moved
}

export function isTracked(state: TravelState | null): boolean {
  return state !== null && state !== 'COLLECTED' && state !== 'CANCELLED'
}

/** Demonstrations poll every 30 s. There a lost push must be visible within two minutes. */
const shortIntervalMs = 5 * minuteMs

/** The longer a bag is silent, the longer the interval between polls (docs/wires/tracking.md T21). */
export function pollFactor(state: TravelState | null, silentPolls: number, intervalMs: number): number {
  const wanted = isMoving(state) ? silenceFactor(silentPolls) : 6
  return Math.min(wanted, intervalMs < shortIntervalMs ? 3 : wanted)
}

function silenceFactor(silentPolls: number): number {
  if (silentPolls < 4) return 1
  if (silentPolls < 12) return 2
  return silentPolls < 24 ? 4 : 12
}
