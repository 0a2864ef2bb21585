import type { Limit } from './limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Limits that no operator has to choose. They are part of the configuration so that tests can change them. */
export interface GatewayLimits {
  /**
   * All headers of a request must arrive within this time after the connection opened or the previous request ended.
   */
  readonly headersTimeoutMs: number
  /** The whole request must arrive within this time, which must not be less than `headersTimeoutMs`. */
  readonly requestTimeoutMs: number
  /**
   * An idle connection stays open for this time. It must be longer than a proxy in front keeps the connection (usually
   * a minute); otherwise the proxy sends requests into closed connections.
   */
  readonly keepAliveTimeoutMs: number
  /**
   * Connections beyond this number are closed on arrival. The number is smaller when the process can open fewer files.
   */
  readonly maxConnections: number
  /** Requests are refused when the mean delay of the event loop is longer than this; 0 refuses none. */
  readonly maxEventLoopDelayMs: number
  readonly maxRequests: number
  /**
   * Requests that need the database are refused while a connection is waited for longer than this; 0 refuses none. 95 %
   * of the answers are promised within 300 ms.
   */
  readonly maxDatabaseWaitMs: number
  /** The connection that listens for changes is not counted in this limit. */
  readonly databaseConnections: number
  /**
   * At most this many messages about bags are sent in a day. A warning is logged at 80 %. Further messages wait, and
   * are dropped after a day.
   */
  readonly messagesPerDay: number
  readonly openOrdersPerUser: number
  readonly accountCallsPerUser: readonly Limit[]
  /**
   * Wrong codes from devices that signed in before are counted separately. Two other limits are constants: a code
   * becomes invalid after three wrong entries, and a phone number is blocked after twenty in a row.
   */
  readonly wrongCodesPerPhone: readonly Limit[]
  /**
   * At most this many codes are sent in a day to phones that differ only in their last four digits, and ten times as
   * many to Saudi phones.
   */
  readonly codesPerPrefix: number
  /** At most this many codes are sent in a day to the phones of one country, and ten times as many to Saudi phones. */
  readonly codesPerCountry: number
  /**
   * At most this many codes can be requested from one client address (IPv6: a /48). A code that is entered there is not
   * counted.
   */
  readonly codesPerAddress: Limit
  /** For this long after a creation with an unknown outcome, the courier's look-up can miss the shipment. */
  readonly shipmentQuietMs: number
  /** For this long after a send, the SMS service's look-up can miss the message. */
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
