import type { Limit } from './limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** No operator has to choose these limits of the gateway. They are configuration only so that tests can change them. */
export interface GatewayLimits {
  readonly headersTimeoutMs: number
  /** `requestTimeoutMs` must not be less than `headersTimeoutMs`. */
  readonly requestTimeoutMs: number
  /**
   * An idle connection is kept longer than the proxy in front keeps it (usually a minute); otherwise the proxy sends
   * requests into closed connections.
   */
  readonly keepAliveTimeoutMs: number
  /** The limit of open files can lower this number. */
  readonly maxConnections: number
  /** Requests are refused when the event loop is delayed by more than this on average; 0 refuses no request. */
  readonly maxEventLoopDelayMs: number
  readonly maxRequests: number
  /**
   * Requests that need the database are refused while others wait longer than this for a database connection; 0 refuses
   * none. 95 % of the answers are promised within 300 ms.
   */
  readonly maxDatabaseWaitMs: number
  /** The most connections, without the one that listens for notices. */
  readonly databaseConnections: number
  /**
   * The most messages about bags in a day. Further ones wait, and are dropped after a day. A warning is logged at 80 %.
   */
  readonly messagesPerDay: number
  readonly openOrdersPerUser: number
  readonly accountCallsPerUser: readonly Limit[]
  /** Wrong codes from devices that signed in before are counted separately. */
  readonly wrongCodesPerPhone: readonly Limit[]
  /**
   * At most this many sign-in codes are sent in a day to phones that differ only in their last four digits, and ten
   * times as many to Saudi phones.
   */
  readonly codesPerPrefix: number
  /** The same limit as `codesPerPrefix`, for the phones of one country. */
  readonly codesPerCountry: number
  /**
   * At most this many sign-in codes can be requested from one client address (IPv6: /48) without being entered there.
   */
  readonly codesPerAddress: Limit
  /** For this long after a creation with an unknown outcome, the courier's look-up can miss the shipment. */
  readonly shipmentQuietMs: number
  /** For this long after a message was sent, the SMS service's look-up can miss it. */
  readonly messageQuietMs: number
}

export const gatewayLimits: GatewayLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 72_000,
  maxConnections: 10_000,
  maxEventLoopDelayMs: 500,
  maxRequests: 1_000,
  maxDatabaseWaitMs: 300,
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
