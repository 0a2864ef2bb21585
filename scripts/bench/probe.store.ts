import { subscribe } from 'node:diagnostics_channel'
import { renameSync, writeFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
import pg from 'pg'

/**
 * Loaded into gateways that the benchmark of a visit starts: counts what they ask of others. On SIGUSR2 the counts since the last
 * one are written to `VISIT_COUNTS/<process id>.json`.
 */

export interface Counts {
  /** By text. */
  statements: Record<string, number>
  /** Times that a gateway sent something to PostgreSQL with nothing under way on that connection, and so waits. */
  roundTrips: number
  /** Requests to external services. */
  calls: number
}

const none = (): Counts => ({ statements: {}, roundTrips: 0, calls: 0 })
let counts = none()

function note(text: string): void {
  counts.statements[text] = (counts.statements[text] ?? 0) + 1
}

/** Calls `before` with the receiver of every call of a method. */
// biome-ignore lint/suspicious/noExplicitAny: methods of any signature
function before(prototype: any, name: string, note: (self: any, argument: any) => void): void {
  const method = prototype[name]
  prototype[name] = function (this: unknown, ...given: unknown[]) {
    note(this, given[0])
    return method.apply(this, given)
  }
}

for (const name of ['all', 'run', 'get', 'iterate'])
  before(StatementSync.prototype, name, (self: StatementSync) => note(self.sourceSQL))

const underWay = new WeakMap<object, number>()
before(pg.Query.prototype, 'submit', ({ text }, connection) => {
  note(text)
  const sent = underWay.get(connection)
  if (sent === undefined)
    connection.on('readyForQuery', () => underWay.set(connection, (underWay.get(connection) ?? 1) - 1))
  if (!sent) counts.roundTrips += 1
  underWay.set(connection, (sent ?? 0) + 1)
})

subscribe('undici:request:create', () => {
  counts.calls += 1
})

process.on('SIGUSR2', () => {
  const path = `${process.env.VISIT_COUNTS}/${process.pid}.json`
  writeFileSync(`${path}.new`, JSON.stringify(counts))
  renameSync(`${path}.new`, path)
  counts = none()
})
