import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** Resource usage of a process since the previous report. */
export interface Vitals {
  /** Longest block of the event loop, in milliseconds. */
  readonly longestDelayMs: number
  readonly p99DelayMs: number
  /** Share of the time in which the event loop was busy. */
  readonly busy: number
  /** User and system time of the processor, in milliseconds. */
  readonly processorMs: number
  readonly residentMb: number
}

const resolutionMs = 5
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
let processorBefore = process.cpuUsage()
let usedBefore: EventLoopUtilization = performance.eventLoopUtilization()

/** The vitals of this process since the last call. */
export function vitals(): Vitals {
  const spent = process.cpuUsage(processorBefore)
  const used = performance.eventLoopUtilization(usedBefore)
  const found = {
    // The histogram holds the time between two ticks of a timer, its own period included.
    longestDelayMs: Math.max(0, delay.max / 1e6 - resolutionMs),
    p99DelayMs: Math.max(0, delay.percentile(99) / 1e6 - resolutionMs),
    busy: used.utilization,
    processorMs: (spent.user + spent.system) / 1_000,
    residentMb: process.memoryUsage.rss() / 2 ** 20,
  }
  delay.reset()
  processorBefore = process.cpuUsage()
  usedBefore = performance.eventLoopUtilization()
  return found
}
