import type { Request } from './connection.ts'
import type { Journey, Route } from './journey.ts'
import type { ReportedOrder } from './ledger.ts'
import type { Summary } from './numbers.ts'
import type { LevelReport } from './samples.ts'
import type { Vitals } from './vitals.ts'

/** Jobs of the load generator. Each is answered when it is done. */
export type Job =
  /** As many requests as the server answers over `connections` for `seconds`: its maximum rate. */
  | { kind: 'flood'; url: string; request: Request; connections: number; seconds: number }
  /** One request after the other, each once: the latency for one user. */
  | { kind: 'line'; url: string; requests: readonly Request[] }
  /** Requests at a fixed rate until `neighbours-stop`: the latency for other users meanwhile. */
  | { kind: 'neighbours-start'; url: string; requests: readonly Request[]; perSecond: number }
  | { kind: 'neighbours-stop' }
  /** Whole journeys, several at a time. Phones are taken from `from` on. */
  | {
      kind: 'journeys'
      gatewayUrl: string
      mockUrl: string
      routes: readonly Route[]
      from: number
      count: number
      atOnce: number
    }
  /** One level of the peak day. */
  | {
      kind: 'level'
      gatewayUrls: readonly string[]
      mockUrl: string
      ordersPerSecond: number
      seconds: number
      seed: number
      from: number
      /** Agents sign in before the level begins. */
      agents: readonly { readonly code: string; readonly phone: string }[]
      centerCodes: readonly string[]
    }
  | { kind: 'vitals' }

export interface FloodResult {
  readonly perSecond: number
  readonly answered: number
  readonly failed: number
  readonly summary: Summary
}

export interface LineResult {
  /** Milliseconds until each expected response. */
  readonly times: readonly number[]
  /** Description of the first response other than 200. */
  readonly failure: string | undefined
}

export interface NeighboursResult {
  readonly summary: Summary
  readonly failures: Readonly<Record<string, number>>
}

export interface JourneysResult {
  readonly seconds: number
  readonly journeys: readonly Journey[]
}

export interface LevelOutcome {
  readonly report: LevelReport
  readonly reported: readonly ReportedOrder[]
  readonly checkouts: number
  /** The time during which visits began. */
  readonly arrivalSeconds: number
  /** Visits that began, and those that failed. */
  readonly visits: number
  readonly unfinished: number
  readonly firstUnfinished: string | undefined
  /** The level was stopped early after too many failures. */
  readonly wasStopped: boolean
  /** Above 0.9 the numbers are those of the generator and not of the gateway. */
  readonly generator: Vitals
  /** How late the generator began visits, in milliseconds: its own share of the latency. */
  readonly lateness: Summary
}
