import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'
import { onFreePorts } from './ports.ts'
import { endServer } from './postgres-processes.ts'
import { findOnPath, install } from './programs.ts'
import { readRepoFile } from './repo-files.ts'

/** A primary and its synchronous standby, run with the commands of docs/standby.md. */
export interface Pair {
  /** Of an empty database, with both servers. */
  readonly url: string
  /** Ends the primary and all its processes by SIGKILL. */
  kill(): Promise<void>
  /** Makes the standby the primary. */
  promote(): Promise<void>
  /** Brings the server that was killed, or is stopped, back as the synchronous standby. */
  bringBack(how: 'rewound' | 'copied anew'): Promise<void>
  /** Starts the server that was killed as the primary that it was: what must not be done. */
  startOld(): Promise<void>
  stopOld(): Promise<void>
  close(): Promise<void>
}

const page = 'docs/standby.md'
const versions = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs, of the newest version. Those of npm lack the ones that copy a server. */
function findPrograms(): string {
  const find = () => {
    const folders = existsSync(versions)
      ? readdirSync(versions)
          .toSorted((a, b) => Number(b) - Number(a))
          .map((version) => join(versions, version, 'bin'))
      : []
    return findOnPath({ PATH: [...folders, process.env.PATH].join(delimiter) }, ['pg_rewind'])
  }
  if (find() === undefined) install('postgresql')
  const found = find()
  if (found === undefined)
    throw new Error('This needs a whole PostgreSQL and there is none (Debian: apt-get install postgresql).')
  return join(found, '..')
}

/** The commands below a heading of the page. */
function blockOf(heading: string): string {
  const [, part = ''] = readRepoFile(page).split(`\n## ${heading}\n`)
  const block = /^```sh\n([\s\S]*?)^```$/m.exec(part.split('\n## ')[0] ?? '')?.[1]
  if (block === undefined) throw new Error(`${page} has no commands below ${heading}`)
  return block
}

interface Server {
  readonly port: number
  readonly data: string
}

const logOf = (data: string) =>
  existsSync(`${data}.log`) ? readFileSync(`${data}.log`, 'utf8').slice(-3_000) : ''

export const startPair = (): Promise<Pair> => onFreePorts(2, ([one = 0, two = 0]) => startOn(one, two))

async function startOn(...ports: [number, number]): Promise<Pair> {
  const programs = findPrograms()
  // PostgreSQL refuses to run as root.
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-pair-'))
  if (user) await chown(folder, user.uid, user.gid)
  const servers = ports.map((port, index): Server => ({ port, data: join(folder, String(index + 1)) }))
  let [primary, standby] = servers as [Server, Server]

  const words = ({ port }: Server) => `host=127.0.0.1 port=${port} dbname=postgres user=amtiati`
  /** Runs commands of the page on the machine of a server. */
  async function run(commands: string, { data, port }: Server): Promise<string> {
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100`
    const systemctl = `systemctl() { pg_ctl "$1" --silent --wait --pgdata="$DATA" --log="$DATA.log" --options="${settings}" </dev/null; }`
    const { stdout } = await promisify(execFile)('sh', ['-euc', `${systemctl}\n${commands}`], {
      ...user,
      cwd: folder,
      env: {
        PATH: [programs, process.env.PATH].join(delimiter),
        LC_ALL: 'C.UTF-8',
        PRIMARY: words(primary),
        STANDBY: words(standby),
        DATA: data,
      },
    }).catch((error: { stderr?: string }) => {
      throw new Error(`${commands}${error.stderr}${logOf(data)}`)
    })
    return stdout
  }
  const runBlock = (heading: string, server: Server) => run(blockOf(heading), server)

  async function synchronise(): Promise<void> {
    await runBlock('Synchronous', primary)
    const [last = ''] = blockOf('Synchronous').trim().split('\n').slice(-1)
    await eventually(async () => ((await run(last, primary)).trim() === 'sync' ? true : undefined)).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${logOf(standby.data)}`)
      },
    )
  }

  async function close(): Promise<void> {
    process.off('exit', endAll)
    for (const { data } of servers) await endServer(data, 'SIGKILL').catch(() => undefined)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  /** With this process, however it ends. */
  function endAll(): void {
    for (const { data } of servers)
      try {
        process.kill(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT')
      } catch {}
  }
  process.once('exit', endAll)

  try {
    await run(
      'initdb --pgdata="$DATA" --username=amtiati --auth=trust --encoding=UTF8 --locale=C --lc-ctype=C.UTF-8 --no-sync\nsystemctl start',
      primary,
    )
    await runBlock('Once, on the first primary', primary)
    await run('createdb --maintenance-db="$PRIMARY" orders', primary)
    await runBlock('A new standby', standby)
    await synchronise()
  } catch (error) {
    await close()
    throw error
  }

  return {
    url: `postgres://amtiati@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/orders`,
    kill: () => endServer(primary.data, 'SIGKILL'),
    async promote() {
      await runBlock('The primary dies', standby)
      ;[primary, standby] = [standby, primary]
    },
    async bringBack(how) {
      if (how === 'rewound') await runBlock('The old primary comes back', standby)
      else {
        await run('rm -rf "$DATA"', standby)
        await runBlock('A new standby', standby)
      }
      await synchronise()
    },
    startOld: async () => void (await run('systemctl start', standby)),
    stopOld: async () => void (await run('systemctl stop', standby)),
    close,
  }
}
