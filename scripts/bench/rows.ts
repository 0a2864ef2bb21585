import { listCenters } from '#shared/partner/partner.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { type FilledDeployment, startFilledDeployment } from './filled-deployment.ts'
import { floodRow } from './flood-row.ts'
import { journeysRow } from './journeys-row.ts'
import { median } from './numbers.ts'
import type { Options } from './options.ts'
import { coldStartOfBaseline, startGenerator } from './processes.ts'
import type { Bench, Row } from './row.ts'
import { checkoutsPerRound, storedRows } from './stored-rows.ts'
import { figure } from './table.ts'

export interface RowsResult {
  readonly rows: readonly Row[]
  /** Wrong results, independent of speed. */
  readonly faults: readonly string[]
  readonly details: unknown
}

export async function runRows(options: Options, say: (line: string) => void): Promise<RowsResult> {
  const generator = startGenerator()
  const bench: Bench = { options, generator, faults: [], say }
  const [smallest = 0, ...larger] = options.sizes
  const small = await startFilledDeployment(
    { engine: options.engines[0] ?? 'sqlite', size: smallest, users: 2 + options.rounds * checkoutsPerRound },
    say,
  )
  try {
    const session = await floodRow(bench, small, {
      what: 'session check',
      request: { method: 'GET', path: readUserSession.path, headers: small.users[0]?.headers ?? {} },
      floor: 0.4,
      goal: 0.6,
    })
    const centers = await floodRow(bench, small, {
      what: `partner list (${small.lists.centers.length} offices)`,
      request: {
        method: 'GET',
        path: listCenters.path,
        headers: { 'sec-fetch-site': 'same-origin', 'accept-encoding': 'br, gzip' },
      },
      floor: 0.6,
      goal: 0.85,
    })
    const { row: journeys, resident, details } = await journeysRow(bench, small)
    const start = await startRow(bench, small)
    const stored = await storedRows(bench, small, larger.at(-1))
    return {
      rows: [session.row, centers.row, journeys, ...stored.rows, start, resident],
      faults: bench.faults,
      details: {
        session: session.details,
        centers: centers.details,
        journeys: details,
        stored: stored.details,
      },
    }
  } finally {
    await generator.end()
    await small.close()
  }
}

/** From the start of the process until `/readyz` answers 200, with an existing database. */
async function startRow({ options, say }: Bench, deployment: FilledDeployment): Promise<Row> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    await deployment.stopGateways()
    ours.push((await deployment.startGateways()) / 1_000)
    bare.push((await coldStartOfBaseline()) / 1_000)
    say(`  cold start, round ${round}: ${figure(ours.at(-1) ?? 0)} against ${figure(bare.at(-1) ?? 0)} s`)
  }
  return {
    what: 'cold start until ready',
    unit: 's',
    gateway: median(ours),
    baseline: median(bare),
    baselineIs: 'bare node:http',
    measure: median(ours),
    floor: 1.5,
    goal: 0.7,
    isMoreBetter: false,
    note: 'database present and migrated',
  }
}
