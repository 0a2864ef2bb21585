import type { Limit } from './limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Limits that no operator has to choose. They are part of the configuration so that tests can change them. */
export interface GatewayLimits {
  /** For a client to send the headers of a request, from the connection or the previous request. */
  readonly headersTimeoutMs: number
  /** For a client to send a whole request; at least `headersTimeoutMs`. */
  readonly requestTimeoutMs: number
  /**
   * How long an idle connection stays open. Longer than a proxy in front keeps it (usually a minute), or the
   * proxy would send requests into closed connections.
   */
  readonly keepAliveTimeoutMs: number
  /** Further connections are closed on arrival. Lower when the process may open fewer files. */
  readonly maxConnections: number
  /** Requests are refused beyond this mean delay of the event loop; 0 refuses none. */
  readonly maxEventLoopDelayMs: number
  readonly maxRequests: number
  /** Connections to PostgreSQL, without the one that listens for changes. */
  readonly databaseConnections: number
  /**
   * Messages about bags in a day. At 80 % a warning is logged. Beyond it they wait, and are dropped after a day.
   */
  readonly messagesPerDay: number
  readonly openOrdersPerUser: number
  readonly accountCallsPerUser: readonly Limit[]
  /** Wrong codes of a phone. Known devices count apart. Three void a code; twenty in a row block the phone. */
  readonly wrongCodesPerPhone: readonly Limit[]
  /**
   * Codes per day to devices that have not signed in before, for phones of one prefix (the number without its last four
   * digits). Saudi numbers: ten times as many.
   */
  readonly codesPerPrefix: number
  /** The same for phones of one country. Saudi numbers: ten times as many. */
  readonly codesPerCountry: number
  /** Codes asked for at one client address (IPv6: a /48) and not entered, beside as many as were entered there. */
  readonly codesPerAddress: Limit
  /** After a shipment creation with an unknown outcome: how long the courier's look-up may lag. */
  readonly shipmentQuietMs: number
  /** After a message with an unknown outcome: how long a look-up that finds nothing proves nothing. */
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
