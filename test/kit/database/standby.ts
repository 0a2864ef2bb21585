import { join } from 'node:path'
import { eventually } from '../basics/eventually.ts'
import { onFreePorts } from '../programs/ports.ts'
import { blocksOf, newServer, openMachine, type Server } from './debian-postgres.ts'
import { endServer } from './postgres-processes.ts'

/** A primary and its synchronous standby, run with the commands of docs/operate.md and docs/alerts.md. */
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

const pages: Readonly<Record<string, string>> = {
  'Once, on the first primary': 'docs/operate.md',
  'A new standby': 'docs/operate.md',
  Synchronous: 'docs/operate.md',
  'The primary dies': 'docs/alerts.md',
  'The old primary comes back': 'docs/alerts.md',
}

/** The commands below a heading of its page. */
const blockOf = (heading: string) => blocksOf(pages[heading] ?? '', heading)[0] ?? ''

export const startPair = (): Promise<Pair> => onFreePorts(2, ([one = 0, two = 0]) => startOn(one, two))

async function startOn(...ports: [number, number]): Promise<Pair> {
  const machine = await openMachine()
  const servers = ports.map(
    (port, index): Server => ({ port, data: join(machine.folder, String(index + 1)) }),
  )
  let [primary, standby] = servers as [Server, Server]

  const words = ({ port }: Server) => `host=127.0.0.1 port=${port} dbname=postgres user=amtiati`
  const run = (commands: string, server: Server) =>
    machine.run(commands, server, { PRIMARY: words(primary), STANDBY: words(standby) })
  const runBlock = (heading: string, server: Server) => run(blockOf(heading), server)

  async function synchronise(): Promise<void> {
    await runBlock('Synchronous', primary)
    const [last = ''] = blockOf('Synchronous').trim().split('\n').slice(-1)
    await eventually(async () => ((await run(last, primary)).trim() === 'sync' ? true : undefined)).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${machine.logOf(standby)}`)
      },
    )
  }

  try {
    await run(newServer('amtiati'), primary)
    await runBlock('Once, on the first primary', primary)
    await run('createdb --maintenance-db="$PRIMARY" orders', primary)
    await runBlock('A new standby', standby)
    await synchronise()
  } catch (error) {
    await machine.close()
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
    close: machine.close,
  }
}
