import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { findOnPath, install } from '../programs/programs.ts'
import { readRepoFile } from '../repo/repo-files.ts'
import { endServer } from './postgres-processes.ts'

/** A server of PostgreSQL. */
export interface Server {
  readonly port: number
  readonly data: string
}

/** A folder in which servers of Debian's PostgreSQL run. */
export interface Machine {
  readonly folder: string
  /** Runs commands of a page for a server; `systemctl` starts, stops and restarts that one. Returns what they print. */
  run(commands: string, server: Server, env: Readonly<Record<string, string>>): Promise<string>
  /** The end of the log of a server. */
  logOf(server: Server): string
  /** Ends the servers, whose folders are in that of the machine, and removes everything. */
  close(): Promise<void>
}

/** The commands that make a server and start it. */
export const newServer = (superuser: string) =>
  `initdb --pgdata="$DATA" --username=${superuser} --auth=trust --encoding=UTF8 --locale=C --lc-ctype=C.UTF-8 --no-sync\nsystemctl start`

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

/** The blocks of commands below a heading of a page. */
export function blocksOf(page: string, heading: string): string[] {
  const [, part = ''] = readRepoFile(page).split(`\n## ${heading}\n`)
  const blocks = [...(part.split(/\n##+ /)[0] ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  if (blocks.length === 0) throw new Error(`${page} has no commands below ${heading}`)
  return blocks.map(([, block = '']) => block)
}

export async function openMachine(): Promise<Machine> {
  const programs = findPrograms()
  // PostgreSQL refuses to run as root.
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-machine-'))
  if (user) await chown(folder, user.uid, user.gid)

  const logOf = ({ data }: Server) =>
    existsSync(`${data}.log`) ? readFileSync(`${data}.log`, 'utf8').slice(-3_000) : ''
  const servers = () =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((data) => existsSync(join(data, 'postmaster.pid')))
  /** With this process, however it ends. */
  function endAll(): void {
    for (const data of servers())
      try {
        process.kill(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT')
      } catch {}
  }
  process.once('exit', endAll)

  return {
    folder,
    logOf,
    async run(commands, server, env) {
      const { port, data } = server
      const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100`
      const systemctl = `systemctl() { pg_ctl "$1" --silent --wait --pgdata="$DATA" --log="$DATA.log" --options="${settings}" </dev/null; }`
      const { stdout } = await promisify(execFile)('sh', ['-euc', `${systemctl}\n${commands}`], {
        ...user,
        cwd: folder,
        env: { PATH: [programs, process.env.PATH].join(delimiter), LC_ALL: 'C.UTF-8', DATA: data, ...env },
      }).catch((error: { stderr?: string }) => {
        throw new Error(`${commands}${error.stderr}${logOf(server)}`)
      })
      return stdout
    },
    async close() {
      process.off('exit', endAll)
      for (const data of servers()) await endServer(data, 'SIGKILL').catch(() => undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
