import type { Log } from './logging.ts'

/** A background loop over jobs that the database hands out one by one. */
export interface Worker {
  start(): void
  /** Look for work now instead of at the next round. */
  wake(): void
  /** Takes no more work and resolves when what is under way has ended. */
  stop(): Promise<void>
  /** True between start and stop. */
  isRunning(): boolean
}

export interface WorkerParts<Job> {
  readonly name: string
  /** Takes one job, or undefined when none is due. Must have one winner per job, also among several gateways. */
  readonly claim: () => Promise<Job | undefined>
  /** Must not throw for what it expects; what it throws is logged, and the job comes back when its lease runs out. */
  readonly carryOut: (job: Job) => Promise<void>
  /** Jobs under way at a time. */
  readonly parallel: number
  /** How often to look when nobody wakes us. */
  readonly roundMs: number
  readonly log: Log
}

export function createWorker<Job>({
  name,
  claim,
  carryOut,
  parallel,
  roundMs,
  log,
}: WorkerParts<Job>): Worker {
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isRunning = false
  let lookAgain = false

  function wake(): void {
    if (!isRunning) return
    lookAgain = true
    looking ??= look().finally(() => {
      looking = undefined
    })
  }

  async function look(): Promise<void> {
    try {
      while (lookAgain) {
        lookAgain = false
        while (isRunning && underWay.size < parallel) {
          const job = await claim()
          if (job === undefined) break
          const work = carryOut(job)
            .catch((error: unknown) => log.error({ event: `${name}.job-failed`, err: error }))
            .finally(() => {
              underWay.delete(work)
              wake()
            })
          underWay.add(work)
        }
      }
    } catch (error) {
      log.error({ event: `${name}.claim-failed`, err: error })
    }
  }

  return {
    start() {
      if (isRunning) return
      isRunning = true
      timer = setInterval(wake, roundMs)
      wake()
    },
    wake,
    async stop() {
      isRunning = false
      clearInterval(timer)
      await looking
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    isRunning: () => isRunning,
  }
}
