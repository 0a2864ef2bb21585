import { readdirSync, readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  /** Load average of one minute before the run: above 0.3 per core the machine is too busy to measure. */
  readonly loadBefore: number
  readonly isBusy: boolean
}

export function describeMachine(): Machine {
  const cores = availableParallelism()
  const [loadBefore = 0] = loadavg()
  return {
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    loadBefore,
    isBusy: loadBefore > 0.3 * cores,
  }
}

export function machineLine({ cpu, cores, memoryGb, system, node, loadBefore, isBusy }: Machine): string {
  const busy = isBusy ? ': busy, absolute numbers are too low' : ''
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, load ${loadBefore.toFixed(2)}${busy}`
}

/** Processor time of a process so far in milliseconds (Linux, 10 ms steps); NaN elsewhere. */
export function processorMsOf(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function processorMsBelow(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), fields: statOf(Number(name)) }))
  const below = (parent: number): number =>
    processes
      .filter(({ fields }) => Number(fields[1]) === parent)
      .map((each) =>
        each.fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, below(each.pid)),
      )
      .reduce((sum, ms) => sum + ms, 0)
  return below(pid)
}

/** Fields of the process from the third on. The second, the name in brackets, may contain spaces. */
function statOf(pid: number): readonly string[] {
  const stat = readIfPossible(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

export function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readIfPossible(`/proc/${pid}/status`))?.[1]) / 1_024
}

function readIfPossible(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
