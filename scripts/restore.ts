import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Aftermath, listAftermath } from '#server/platform/database/aftermath.ts'
import { checkSqliteFile, isInUse } from '#server/platform/database/inspect.ts'
import { findInstallation, nameOfInstallation } from '#server/platform/database/installation.ts'
import { lockSqlite } from '#server/platform/database/lock.ts'
import { readNumbers } from '#server/platform/database/numbers.ts'
import {
  applyAftermath,
  countConnections,
  installPostgres,
  installSqlite,
  type Prepared,
  type Previous,
  prepareRestore,
  presentFiles,
  removeDraft,
} from '#server/platform/database/restore.ts'
import { isoOf } from '#shared/platform/instant.ts'
import {
  checkFolder,
  countOf,
  type DatabaseLocation,
  lineOf,
  openParts,
  postgresLocation,
  readArguments,
  readDatabaseLocation,
  refuseEmpty,
  refuseOccupied,
  runTool,
  sqliteLocationOf,
  UsageError,
  withParts,
  withSource,
} from './lib/tool.ts'

const usage = `usage: npm run restore -- <backup> [--set-aside] [--previous <name>] [--other-installation <id>] [--order-gap <n>]
       npm run restore -- --adopt --since <time> [--previous <name>] [--other-installation <id>] [--order-gap <n>]
Restores a backup of \`npm run backup\` as the gateway's database, SQLite or PostgreSQL: the target must be empty. Or adopts
the database of DATABASE_URL, which PostgreSQL's own tools have restored: changes it as a restored backup is changed. The
gateway must be stopped. Reads DATA_DIR and DATABASE_URL from the environment and .env.
  --adopt             the database of DATABASE_URL is as it was at --since
  --since <time>      the time that it was restored to, with a time zone: 2026-05-27T14:03:00+03:00
  --set-aside         SQLite: renames the existing file, and reads from it what the backup lacks
  --previous <name>   the previous database, if it is elsewhere: a SQLite file, or with DATABASE_URL another database of
                      the same server. It is only read
  --other-installation <id>
                      the previous database belongs to another installation, with this id; without it that is refused
  --order-gap <n>     numbers of orders and of receipts left out, default 100000: more than can have been given out after the backup without
                      being in the previous database`

const defaultGap = 100_000

interface Common {
  readonly previous: string | undefined
  readonly otherInstallation: string | undefined
  readonly gap: number
}

interface Options extends Common {
  readonly backup: string
  readonly setsAside: boolean
}

/** Of a database that PostgreSQL has restored. */
interface Adoption extends Common {
  readonly since: number
}

function readOptions(args: readonly string[]): Options | Adoption {
  const { positionals, values } = readArguments(args, {
    'set-aside': { type: 'boolean' },
    adopt: { type: 'boolean' },
    since: { type: 'string' },
    previous: { type: 'string' },
    'order-gap': { type: 'string' },
    'other-installation': { type: 'string' },
  })
  const gap = values['order-gap'] ?? String(defaultGap)
  if (!/^[1-9]\d{0,8}$/.test(gap)) throw new UsageError('--order-gap must be a whole number from 1')
  const common = {
    previous: values.previous,
    otherInstallation: values['other-installation'],
    gap: Number(gap),
  }
  const setsAside = values['set-aside'] ?? false
  if (values.adopt) {
    if (positionals.length > 0 || setsAside)
      throw new UsageError('--adopt takes no backup and no --set-aside')
    return { ...common, since: timeOf(values.since) }
  }
  if (values.since !== undefined) throw new UsageError('--since belongs to --adopt')
  const [backup, ...rest] = positionals
  if (backup === undefined || rest.length > 0) throw new UsageError('name one backup')
  return { ...common, backup: resolve(backup), setsAside }
}

function timeOf(text: string | undefined): number {
  const time = /(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError('--since must be a time with its zone, as 2026-05-27T14:03:00+03:00')
  if (time > Date.now()) throw new UsageError('--since is in the future')
  return time
}

/** Returns the location of the previous database, if known. @throws unless the target is free or may be renamed. */
function checkSqliteTarget(
  file: string,
  { backup, setsAside, previous }: Options,
): DatabaseLocation | undefined {
  checkFolder(file)
  if (backup === file) throw new Error(`${file} is the database itself and no backup`)
  const [present] = presentFiles(file)
  if (present !== undefined && !setsAside)
    throw new Error(`${present} is there already: --set-aside renames it and restores in its place`)
  if (existsSync(file) && isInUse(file)) throw new Error(`${file} is in use: stop the gateway first`)
  if (previous !== undefined) return sqliteLocationOf(resolve(previous))
  return existsSync(file) ? sqliteLocationOf(file) : undefined
}

async function checkPostgresTarget(location: DatabaseLocation & { engine: 'postgres' }, options: Options) {
  if (options.setsAside)
    throw new UsageError('--set-aside is for SQLite: name another, empty database in DATABASE_URL')
  await refuseConnections(location)
  await withParts(location, refuseOccupied)
  return previousOnServer(location, options)
}

/** The server has a connection that was closed just now for some moments more. */
const closingMs = 1_500

async function refuseConnections(location: DatabaseLocation): Promise<void> {
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

function previousOnServer(location: DatabaseLocation & { engine: 'postgres' }, { previous }: Common) {
  if (previous === undefined) return undefined
  const url = new URL(location.url)
  url.pathname = `/${encodeURIComponent(previous)}`
  return postgresLocation(url.href)
}

/** The previous database, open; or why it cannot be read, which stops the restore only if it was named. */
async function openPrevious(location: DatabaseLocation | undefined, name: string | undefined) {
  const previous = await tryPrevious(location)
  if (name !== undefined && previous.parts === undefined)
    throw new Error(`--previous ${name}: ${previous.error}`)
  return previous
}

async function tryPrevious(location: DatabaseLocation | undefined) {
  if (location === undefined) return { error: 'it is not known' }
  try {
    if (location.engine === 'sqlite') checkSqliteFile(location.file)
    const parts = openParts(location)
    try {
      return { parts, numbers: await readNumbers(parts), installation: await findInstallation(parts) }
    } catch (error) {
      await parts.kysely.destroy()
      throw error
    }
  } catch (error) {
    return { error: lineOf(error) }
  }
}

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

await runTool(usage, async (args) => {
  const options = readOptions(args)
  const location = await readDatabaseLocation()
  if ('backup' in options) await restore(options, location)
  else await adopt(options, location)
})

async function restore(options: Options, location: DatabaseLocation): Promise<void> {
  console.log(`database: ${location.name}`)
  try {
    checkSqliteFile(options.backup)
  } catch (error) {
    throw new Error(`${options.backup}: ${lineOf(error)}`, { cause: error })
  }
  const previousLocation =
    location.engine === 'sqlite'
      ? checkSqliteTarget(location.file, options)
      : await checkPostgresTarget(location, options)
  // Keeps a gateway from starting meanwhile.
  const lock = location.engine === 'sqlite' ? lockSqlite(location.file) : undefined
  const now = Date.now()
  const folder =
    location.engine === 'sqlite' ? dirname(location.file) : await mkdtemp(join(tmpdir(), 'amtiati-restore-'))
  const draft = join(folder, `amtiati.${now}.restoring`)
  try {
    const { prepared, aftermath } = await withPrevious(previousLocation, options, (previous) =>
      prepare(options, draft, previous, now),
    )
    if (location.engine === 'sqlite') await install(draft, location.file, now)
    else await withParts(location, (to) => installPostgres(draft, to))
    printResult(prepared, aftermath, 'restored')
  } finally {
    await removeDraft(draft)
    if (location.engine === 'postgres') await rm(folder, { recursive: true, force: true })
    lock?.release()
  }
}

async function adopt(options: Adoption, location: DatabaseLocation): Promise<void> {
  if (location.engine === 'sqlite')
    throw new UsageError('--adopt is for PostgreSQL: set DATABASE_URL, or restore a backup')
  await refuseConnections(location)
  await withSource(location, { mayBeOlder: true }, async (source) => {
    refuseEmpty(source)
    const { since, gap } = options
    const { prepared, aftermath } = await withPrevious(
      previousOnServer(location, options),
      options,
      (previous) =>
        applyAftermath(source.parts, since, { ...previous, gap, now: Date.now() }).catch((error: unknown) => {
          throw new Error(`${location.name}: ${lineOf(error)}`, { cause: error })
        }),
    )
    printResult(prepared, aftermath, `adopted, as of ${isoOf(since)}`)
  })
}

/** Opens the database before, if it can be read: for its numbers, and to list what the prepared one lacks of it. */
async function withPrevious(
  location: DatabaseLocation | undefined,
  { previous: name, otherInstallation }: Common,
  prepareWith: (previous: Previous) => Promise<Prepared>,
) {
  const previous = await openPrevious(location, name)
  try {
    const prepared = await prepareWith({
      previous: previous.numbers ?? new Map(),
      previousInstallation: previous.installation,
      otherInstallation,
    })
    const aftermath: readonly Aftermath[] =
      previous.parts === undefined
        ? [{ title: 'everything', lines: [], error: previous.error }]
        : await listAftermath(previous.parts, prepared)
    return { prepared, aftermath }
  } finally {
    await previous.parts?.kysely.destroy()
  }
}

async function prepare(options: Options, draft: string, previous: Previous, now: number): Promise<Prepared> {
  const { backup, gap } = options
  const prepared = await prepareRestore(backup, draft, { ...previous, gap, now }).catch((error: unknown) => {
    throw new Error(`${backup}: ${lineOf(error)}`, { cause: error })
  })
  const { orders, users, takenAt } = prepared
  if (orders === 0 && users === 0) throw new Error(`${backup}: it holds no order and no user`)
  const taken = takenAt === null ? 'at an unknown time' : isoOf(takenAt)
  console.log(`backup: ${backup}, taken ${taken}, ${countOf(orders, 'order')}, ${countOf(users, 'user')}`)
  return prepared
}

async function install(draft: string, file: string, now: number): Promise<void> {
  const aside = `${file}.before-${now}`
  const isTaken = presentFiles(file).length > 0
  await installSqlite(draft, file, aside)
  if (isTaken) console.log(`set aside: ${aside}`)
}

function printResult(prepared: Prepared, aftermath: readonly Aftermath[], what: string): void {
  const { installation, firstOrder, firstReceipt, endedSessions, endedCodes } = prepared
  console.log(`${what}: order numbers go on with OD-${firstOrder}, receipts with number ${firstReceipt}`)
  console.log(
    `ended: ${countOf(endedSessions, 'session')}, ${countOf(endedCodes, 'one-time code')}; all sign in again`,
  )
  console.log(
    installation
      ? `it belongs to ${nameOfInstallation(installation)}: start the gateway with MODE=${installation.mode}`
      : 'it has no mode, as an older build has written it: run `npm run ops -- adopt` before the gateway starts',
  )
  console.log(`since then, by the database before:\n${linesOf(aftermath)}`)
  console.log('What to do about each of them: docs/runbook.md, "After a restore".')
}
