import { subscribe } from 'node:diagnostics_channel'
import { renameSync, writeFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
import pg from 'pg'

/**
 * Loaded into gateways that the benchmark of a visit starts: counts their requests to others. SIGUSR2 writes the
 * counts since the last one to `VISIT_COUNTS/<process id>.json`.
 */

export interface Counts {
  statements: Record<string, number>
  /** Statements sent to PostgreSQL on an idle connection, so that the gateway waits. */
  roundTrips: number
  calls: number
}

const none = (): Counts => ({ statements: {}, roundTrips: 0, calls: 0 })
let counts = none()

function note(text: string): void {
  counts.statements[text] = (counts.statements[text] ?? 0) + 1
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
