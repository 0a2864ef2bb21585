import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'

/** The machine of a measurement, to be printed with its numbers. */
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
  const stat = readIfPossible(`/proc/${pid}/stat`)
  // The name in brackets may hold spaces; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory of a process in MB; NaN where the system does not tell. */
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
