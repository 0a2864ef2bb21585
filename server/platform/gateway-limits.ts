import type { Limit } from './limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Limits that no operator has to choose. They are part of the configuration so that tests can change them. */
export interface GatewayLimits {
  /** The longest time for all headers of a request, after the connection opens or the previous request ends. */
  readonly headersTimeoutMs: number
  /** Time to receive the whole request. It must not be less than `headersTimeoutMs`. */
  readonly requestTimeoutMs: number
  /**
   * Time for which an idle connection stays open. It must be longer than a proxy in front keeps the connection (usually
   * a minute), or the proxy would send requests into closed connections.
   */
  readonly keepAliveTimeoutMs: number
  /** Most open connections: further ones are closed on arrival. It is lower when the process may open fewer files. */
  readonly maxConnections: number
  /** Requests are refused when the mean delay of the event loop is longer than this; 0 refuses none. */
  readonly maxEventLoopDelayMs: number
  readonly maxRequests: number
  /** How many connections to PostgreSQL are opened at most. The connection that listens for changes is not counted. */
  readonly databaseConnections: number
  /**
   * How many messages about bags are sent in a day. A warning is logged at 80 %. Further messages wait, and are dropped
   * after a day.
   */
  readonly messagesPerDay: number
  readonly openOrdersPerUser: number
  readonly accountCallsPerUser: readonly Limit[]
  /**
   * How many wrong codes may be entered for a phone number. Devices that signed in before have a count of their own.
   * Two other limits are constants: three wrong entries make a code invalid, and twenty in a row block the number.
   */
  readonly wrongCodesPerPhone: readonly Limit[]
  /**
   * How many codes are sent in a day to all phones that differ only in their last four digits. Devices that signed in
   * before are not counted. For Saudi phones the limit is ten times as high.
   */
  readonly codesPerPrefix: number
  /**
   * How many codes are sent in a day to all phones of a country. Devices that signed in before are not counted. For
   * Saudi phones the limit is ten times as high.
   */
  readonly codesPerCountry: number
  /**
   * How many codes may be requested from one client address (IPv6: a /48) without being entered. Each code that was
   * entered there allows one more.
   */
  readonly codesPerAddress: Limit
  /** For this long after a creation with an unknown outcome, the courier's look-up may not find the shipment. */
  readonly shipmentQuietMs: number
  /** For this long after a send, a look-up that finds no message does not prove that none was sent. */
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
