import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Aftermath, listAftermath } from '#server/platform/database/aftermath.ts'
import { checkSqliteFile, isInUse } from '#server/platform/database/inspect.ts'
import { lockSqlite } from '#server/platform/database/lock.ts'
import { type Numbers, readNumbers } from '#server/platform/database/numbers.ts'
import {
  countConnections,
  installPostgres,
  installSqlite,
  type Prepared,
  prepareRestore,
  presentFiles,
  removeDraft,
} from '#server/platform/database/restore.ts'
import {
  checkFolder,
  countOf,
  type DatabaseLocation,
  lineOf,
  openParts,
  postgresLocation,
  readArguments,
  readDatabaseLocation,
  refuseOccupied,
  runTool,
  sqliteLocationOf,
  UsageError,
  withParts,
} from './lib/tool.ts'

const usage = `usage: npm run restore -- <backup> [--set-aside] [--previous <name>] [--order-gap <n>]
Restores a backup of \`npm run backup\` as the gateway's database, SQLite or PostgreSQL. The gateway must be stopped and
the target empty. Reads DATA_DIR and DATABASE_URL from the environment and .env.
  --set-aside         SQLite: renames the existing file, and reads from it what the backup lacks
  --previous <name>   the previous database, if it is elsewhere: a SQLite file, or with DATABASE_URL another database of
                      the same server. It is only read
  --order-gap <n>     numbers of orders and of receipts left out, default 100000: more than can have been given out after the backup without
                      being in the previous database`

const defaultGap = 100_000

interface Options {
  readonly backup: string
  readonly setsAside: boolean
  readonly previous: string | undefined
  readonly gap: number
}

function readOptions(args: readonly string[]): Options {
  const { positionals, values } = readArguments(args, {
    'set-aside': { type: 'boolean' },
    previous: { type: 'string' },
    'order-gap': { type: 'string' },
  })
  const [backup, ...rest] = positionals
  if (backup === undefined || rest.length > 0) throw new UsageError('name one backup')
  const gap = values['order-gap'] ?? String(defaultGap)
  if (!/^[1-9]\d{0,8}$/.test(gap)) throw new UsageError('--order-gap must be a whole number from 1')
  return {
    backup: resolve(backup),
    setsAside: values['set-aside'] ?? false,
    previous: values.previous,
    gap: Number(gap),
  }
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
  const connections = await withParts(location, countConnections)
  if (connections > 0)
    throw new Error(
      `${location.name} has ${countOf(connections, 'other connection')}: stop the gateways first`,
    )
  await withParts(location, refuseOccupied)
  if (options.previous === undefined) return undefined
  const url = new URL(location.url)
  url.pathname = `/${encodeURIComponent(options.previous)}`
  return postgresLocation(url.href)
}

/** The previous database, open; or why it cannot be read, which is printed and does not stop the restore. */
async function openPrevious(location: DatabaseLocation | undefined) {
  if (location === undefined) return { error: 'it is not known' }
  try {
    if (location.engine === 'sqlite') checkSqliteFile(location.file)
    const parts = openParts(location)
    try {
      return { parts, numbers: await readNumbers(parts) }
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

const isoOf = (epochMs: number) => new Date(epochMs).toISOString()

await runTool(usage, async (args) => {
  const options = readOptions(args)
  const location = readDatabaseLocation()
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
  const previous = await openPrevious(previousLocation)
  try {
    if (options.previous !== undefined && previous.parts === undefined)
      throw new Error(`--previous ${options.previous}: ${previous.error}`)
    const prepared = await prepare(options, draft, previous.numbers ?? new Map(), now)
    const aftermath: Aftermath[] =
      previous.parts === undefined
        ? [{ title: 'everything', lines: [], error: previous.error }]
        : await listAftermath(previous.parts, prepared)
    await previous.parts?.kysely.destroy()

    if (location.engine === 'sqlite') await install(draft, location.file, now)
    else await withParts(location, (to) => installPostgres(draft, to))
    printResult(prepared, aftermath)
  } finally {
    await previous.parts?.kysely.destroy()
    await removeDraft(draft)
    if (location.engine === 'postgres') await rm(folder, { recursive: true, force: true })
    lock?.release()
  }
})

async function prepare(options: Options, draft: string, previous: Numbers, now: number): Promise<Prepared> {
  const { backup, gap } = options
  const prepared = await prepareRestore(backup, draft, { previous, gap, now }).catch((error: unknown) => {
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

function printResult(prepared: Prepared, aftermath: readonly Aftermath[]): void {
  const { firstOrder, firstReceipt, endedSessions, endedCodes } = prepared
  console.log(`restored: order numbers go on with OD-${firstOrder}, receipts with number ${firstReceipt}`)
  console.log(
    `ended: ${countOf(endedSessions, 'session')}, ${countOf(endedCodes, 'one-time code')}; all sign in again`,
  )
  console.log(`since the backup, by the database before:\n${linesOf(aftermath)}`)
  console.log('What to do about each of them: docs/runbook.md, "After a restore".')
}
