import { type GatewayLimits, gatewayLimits } from '#server/platform/gateway-limits.ts'

/** How long a test waits for a signal. It only ends a test whose signal never comes, however busy the machine. */
export const patienceMs = 60_000

/** Limits of a gateway under test: on a busy machine it is slower, but sheds no load and has no short timeouts. */
export const patientLimits: GatewayLimits = {
  ...gatewayLimits,
  maxEventLoopDelayMs: 0,
  maxRequests: 0,
  maxDatabaseWaitMs: 0,
  headersTimeoutMs: patienceMs,
  requestTimeoutMs: patienceMs,
}

/** @throws when a request was refused for overload, which says nothing about the rule under test. */
export function expectNoOverload(what: string, body: string): void {
  if (body.includes('"code":"OVERLOADED"')) throw new Error(`${what} was refused by load, not by a rule`)
}
