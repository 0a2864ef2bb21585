import { setTimeout } from 'node:timers/promises'
import { unansweredMs } from '#server/features/shipments/shipments.rules.ts'
import {
  type AfterRestore,
  applyAfterRestore,
  countConnections,
} from '#server/platform/database/after-restore.ts'
import { type Aftermath, listAftermath } from '#server/platform/database/aftermath.ts'
import type { EngineParts } from '#server/platform/database/database.ts'
import { findInstallation, identityOf, nameOfInstallation } from '#server/platform/database/installation.ts'
import { readNumbers } from '#server/platform/database/numbers.ts'
import { gatewayLimits } from '#server/platform/gateway-limits.ts'
import { isoOf } from '#shared/platform/instant.ts'
import {
  countOf,
  lineOf,
  openParts,
  type PostgresLocation,
  postgresLocation,
  readArguments,
  readDatabaseLocation,
  refuseEmpty,
  type Source,
  UsageError,
  withParts,
  withSource,
} from '../lib/tool.ts'

interface Options {
  readonly since: number
  /** Name of the previous database on the same server, or its address. */
  readonly previous: string | undefined
  readonly otherInstallation: string | undefined
  readonly gap: number
}

/**
 * Prepares a database restored by PostgreSQL's own tools before a gateway uses it, and lists the previous
 * database's rows that it lacks.
 */
export async function afterRestore(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const location = await readDatabaseLocation()
  if (location.engine === 'sqlite') throw new UsageError('after-restore is for PostgreSQL: set DATABASE_URL')
  await refuseConnections(location)
  await withSource(location, { mayBeOlder: true }, async (source) => {
    refuseEmpty(source)
    const previous =
      options.previous === undefined
        ? undefined
        : await openPrevious(location, source.parts, options.previous)
    try {
      const restored = await change(source, options, previous)
      console.log(resultOf(restored))
      console.log(
        previous
          ? `since then, by the previous database:\n${linesOf(await listAftermath(previous.parts, restored))}`
          : withoutPrevious(restored),
      )
      console.log('What to do about each of them: docs/operate.md, "After a restore".')
    } finally {
      await previous?.parts.kysely.destroy()
    }
  })
}

function readOptions(args: readonly string[]): Options {
  const { positionals, values } = readArguments(args, {
    since: { type: 'string' },
    previous: { type: 'string' },
    'order-gap': { type: 'string' },
    'other-installation': { type: 'string' },
  })
  if (positionals.length > 0) throw new UsageError()
  const gap = values['order-gap'] ?? '100000'
  if (!/^[1-9]\d{0,8}$/.test(gap)) throw new UsageError('--order-gap must be a whole number from 1')
  return {
    since: timeOf(values.since),
    previous: values.previous,
    otherInstallation: values['other-installation'],
    gap: Number(gap),
  }
}

function timeOf(text = ''): number {
  const time = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError('--since must be a time with its zone, as 2026-05-27T14:03:00+03:00')
  if (time > Date.now()) throw new UsageError('--since is in the future')
  return time
}

/** The server shows a connection briefly after it was closed. */
const closingMs = 1_500

async function refuseConnections(location: PostgresLocation): Promise<void> {
  const until = Date.now() + closingMs
  let connections = await withParts(location, countConnections)
  while (connections > 0 && Date.now() < until) {
    await setTimeout(100)
    connections = await withParts(location, countConnections)
  }
  if (connections > 0)
    throw new Error(
      `${location.name} has ${countOf(connections, 'other connection')}: stop the gateways first`,
    )
}

async function openPrevious(location: PostgresLocation, restored: EngineParts, nameOrAddress: string) {
  const parts = openParts(previousLocation(location, nameOrAddress))
  try {
    if ((await identityOf(parts)) === (await identityOf(restored)))
      throw new Error(
        `${nameOrAddress} is the restored database itself. Name the previous one: after a recovery to a point in time by its address, with the other port`,
      )
    return { parts, numbers: await readNumbers(parts), installation: await findInstallation(parts) }
  } catch (error) {
    await parts.kysely.destroy()
    throw new Error(`--previous: ${lineOf(error)}`, { cause: error })
  }
}

function previousLocation(location: PostgresLocation, nameOrAddress: string): PostgresLocation {
  if (URL.canParse(nameOrAddress)) return postgresLocation(nameOrAddress)
  const url = new URL(location.url)
  url.pathname = `/${encodeURIComponent(nameOrAddress)}`
  return postgresLocation(url.href)
}

async function change(
  { parts, database, location }: Source,
  { since, gap, otherInstallation }: Options,
  previous: Awaited<ReturnType<typeof openPrevious>> | undefined,
): Promise<AfterRestore> {
  try {
    return await applyAfterRestore(parts, {
      since,
      now: await database.readNow(),
      gap,
      previous,
      otherInstallation,
      uncertainMs: unansweredMs(gatewayLimits.shipmentQuietMs),
    })
  } catch (error) {
    throw new Error(`${location.name}: ${lineOf(error)}`, { cause: error })
  }
}

function resultOf({
  since,
  installation,
  firstOrder,
  firstReceipt,
  endedSessions,
  endedCodes,
}: AfterRestore): string {
  return [
    `restored to ${isoOf(since)}: order numbers go on with OD-${firstOrder}, receipts with number ${firstReceipt}`,
    `ended: ${countOf(endedSessions, 'session')}, ${countOf(endedCodes, 'one-time code')}; all sign in again`,
    installation
      ? `it belongs to ${nameOfInstallation(installation)}: start the gateway with MODE=${installation.mode}`
      : 'it has no mode, as an older build has written it: run `npm run ops -- adopt` before the gateway starts',
  ].join('\n')
}

const withoutPrevious = ({ since }: AfterRestore) =>
  `since then, without --previous:
  orders, payments, refunds, receipts and airway bills: compare with the payment provider's dashboard and with the shipping partner
  accounts deleted: they are back; the log of the gateways names them since ${isoOf(since)}, one line with "event":"account.deleted" and "userId" for each`

function linesOf(aftermath: readonly Aftermath[]): string {
  const lines = aftermath.flatMap(({ title, lines: rows, error }) =>
    error === undefined
      ? [`  ${title}: ${rows.length}`, ...rows.map((row) => `    ${row}`)]
      : [
          `  ${title}: cannot be read: ${error}. Compare with the provider's dashboard and with the shipping partner.`,
        ],
  )
  return lines.join('\n')
}
