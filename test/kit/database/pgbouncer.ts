import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../basics/eventually.ts'
import { onFreePorts } from '../programs/ports.ts'
import { findOrInstall } from '../programs/programs.ts'

export interface PgBouncer {
  readonly url: string
  close(): Promise<void>
}

interface PgBouncerOptions {
  /** The most connections to PostgreSQL. */
  readonly connections: number
  readonly statementLimit?: string | undefined
}

/** PgBouncer (https://www.pgbouncer.org) in front of a database, pooling by transaction, with the settings of docs/operate.md. */
export function startPgBouncer(url: string, options: PgBouncerOptions): Promise<PgBouncer> {
  return onFreePorts(1, ([port = 0]) => startOn(port, new URL(url), options))
}

async function startOn(
  port: number,
  target: URL,
  { connections, statementLimit = '10s' }: PgBouncerOptions,
): Promise<PgBouncer> {
  const program = findOrInstall({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }, ['pgbouncer'])
  if (program === undefined)
    throw new Error(
      'This test needs PgBouncer and there is none. Install it (Debian: apt-get install pgbouncer).',
    )
  const { hostname, username, password, pathname } = target
  const name = pathname.slice(1)
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-pgbouncer-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${target.port} connect_query='SET statement_timeout = ''${statementLimit}'''
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
`,
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said += String(error)
      resolve()
    })
    child.once('exit', () => resolve())
  })
  const own = new URL(target)
  own.port = String(port)
  async function isOpen(): Promise<true> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    return true
  }
  const started = await Promise.race([ended, eventually(isOpen)])
  if (started !== true) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`pgbouncer ended: ${said}`)
  }
  return {
    url: String(own),
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
