import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { renameSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import { Flight } from '#server/platform/database/flight.ts'

/**
 * Loaded into gateways that the benchmark of a visit starts: counts their requests to others. SIGUSR2 writes the
 * counts since the last one to `VISIT_COUNTS/<process id>.json`.
 */

export interface Counts {
  statements: Record<string, number>
  /** Statements that are sent together to PostgreSQL count as one. */
  roundTrips: number
  /** The round trips by the request that they were made for; those of workers have the name `background`. */
  roundTripsOf: Record<string, number>
  calls: number
}

const none = (): Counts => ({ statements: {}, roundTrips: 0, roundTripsOf: {}, calls: 0 })
let counts = none()

const request = new AsyncLocalStorage<string>()
subscribe('http.server.request.start', (message) => {
  const { method, url = '' } = (message as { request: IncomingMessage }).request
  const path = url.replace(/\?.*/, '').replace(/\/\d+/g, '/:n')
  request.enterWith(`${method} ${path}`)
})

function count(of: Record<string, number>, name: string): void {
  of[name] = (of[name] ?? 0) + 1
}

// biome-ignore lint/suspicious/noExplicitAny: methods of any signature
function before(prototype: any, name: string, note: (self: any, argument: any) => void): void {
  const method = prototype[name]
  prototype[name] = function (this: unknown, ...given: unknown[]) {
    note(this, given[0])
    return method.apply(this, given)
  }
}

for (const name of ['all', 'run', 'get', 'iterate'])
  before(StatementSync.prototype, name, (self: StatementSync) => count(counts.statements, self.sourceSQL))

function countRoundTrip(texts: readonly string[]): void {
  for (const text of texts) count(counts.statements, text)
  counts.roundTrips += 1
  count(counts.roundTripsOf, request.getStore() ?? 'background')
}

before(Flight.prototype, 'submit', (flight: Flight) => countRoundTrip(flight.texts))
before(pg.Query.prototype, 'submit', ({ text }: { readonly text: string }) => countRoundTrip([text]))

subscribe('undici:request:create', () => {
  counts.calls += 1
})

process.on('SIGUSR2', () => {
  const path = `${process.env.VISIT_COUNTS}/${process.pid}.json`
  writeFileSync(`${path}.new`, JSON.stringify(counts))
  renameSync(`${path}.new`, path)
  counts = none()
})
