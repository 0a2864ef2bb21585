import type { Limit } from './limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** No operator has to choose these. They are part of the configuration so that tests can change them. */
export interface GatewayLimits {
  /** Time from the connection or the previous request to the end of the headers. */
  readonly headersTimeoutMs: number
  /** The time must not be less than `headersTimeoutMs`. */
  readonly requestTimeoutMs: number
  /**
   * An idle connection stays open longer than a proxy in front keeps it (usually a minute), or the proxy would send
   * requests into closed connections.
   */
  readonly keepAliveTimeoutMs: number
  /** Further connections are closed on arrival. Lower when the process may open fewer files. */
  readonly maxConnections: number
  /** Mean delay of the event loop beyond which requests are refused; 0 refuses none. */
  readonly maxEventLoopDelayMs: number
  readonly maxRequests: number
  /** Connections to PostgreSQL, without the one that listens for changes. */
  readonly databaseConnections: number
  /** About bags. At 80 % a warning is logged. Beyond it they wait, and are dropped after a day. */
  readonly messagesPerDay: number
  readonly openOrdersPerUser: number
  readonly accountCallsPerUser: readonly Limit[]
  /** Known devices count apart. Three wrong codes void a code; twenty in a row block the phone. */
  readonly wrongCodesPerPhone: readonly Limit[]
  /**
   * Codes per day to devices that have not signed in before, for phones that differ in their last four digits. Saudi
   * numbers get ten times as many.
   */
  readonly codesPerPrefix: number
  /** Saudi numbers get ten times as many. */
  readonly codesPerCountry: number
  /** Codes of one client address (IPv6: a /48) that were not entered, beside as many as were entered there. */
  readonly codesPerAddress: Limit
  /** The courier's look-up may lag this long after a creation with an unknown outcome. */
  readonly shipmentQuietMs: number
  /** A look-up that finds no message proves nothing for this long. */
  readonly messageQuietMs: number
}

export const gatewayLimits: GatewayLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 72_000,
  maxConnections: 10_000,
  maxEventLoopDelayMs: 3_000,
  maxRequests: 1_000,
  databaseConnections: 10,
  messagesPerDay: 50_000,
  openOrdersPerUser: 20,
  accountCallsPerUser: [{ count: 10, windowMs: hour }],
  wrongCodesPerPhone: [
    { count: 5, windowMs: hour },
    { count: 10, windowMs: day },
  ],
  codesPerPrefix: 400,
  codesPerCountry: 5_000,
  codesPerAddress: { count: 125, windowMs: hour },
  shipmentQuietMs: 60_000,
  messageQuietMs: 120_000,
}
