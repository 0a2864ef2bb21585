/** How long a test waits for a signal. It only ends a test whose signal never comes, however busy the machine. */
export const patienceMs = 60_000

/** Settings of a gateway under test: on a busy machine it is slower, but sheds no load and has no short timeouts. */
export const patientGateway = {
  MAX_EVENT_LOOP_DELAY_MS: '0',
  MAX_REQUESTS: '0',
  HEADERS_TIMEOUT_MS: String(patienceMs),
  REQUEST_TIMEOUT_MS: String(patienceMs),
} as const

/** @throws when a request was refused for overload, which says nothing about the rule under test. */
export function expectNoOverload(what: string, body: string): void {
  if (body.includes('"code":"OVERLOADED"')) throw new Error(`${what} was refused by load, not by a rule`)
}
