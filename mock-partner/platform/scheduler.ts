import type { Clock } from './clock.ts'

/** Runs things later on the simulator's clock, so that advancing the clock also brings them forward. */
export interface Scheduler {
  /** Runs `task` once `ms` have passed on the simulator's clock; returns a function that calls it off. */
  after(ms: number, task: () => void | Promise<void>): () => void
  /** Resolves to true once `ms` have passed, and to false as soon as everything is called off. */
  pause(ms: number): Promise<boolean>
  /** Runs, earliest first, what the advanced clock has made due, and resolves when all of it is done. */
  wake(): Promise<void>
  /** Calls everything off. */
  cancelAll(): void
}

export type SetTimer = (ms: number, run: () => void) => () => void

interface Entry {
  dueAt: number
  task: () => void | Promise<void>
  cancelTimer: () => void
  onCallOff: () => void
}

/** Longer waits overflow Node's 32-bit timers and would fire at once. */
const longestTimerMs = 2_147_483_647

/** Timers do not keep the process alive: a simulator that is told to stop must stop. */
const setUnrefTimer: SetTimer = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, longestTimerMs))
  timer.unref()
  return () => clearTimeout(timer)
}

/** @param setTimer tests hand in one that never fires, and move the clock instead. */
export function createScheduler(clock: Clock, setTimer: SetTimer = setUnrefTimer): Scheduler {
  const waiting = new Set<Entry>()

  function arm(entry: Entry): void {
    entry.cancelTimer = setTimer(Math.max(0, entry.dueAt - clock.now()), () => {
      if (clock.now() < entry.dueAt) arm(entry)
      else void run(entry)
    })
  }

  function callOff(entry: Entry): void {
    waiting.delete(entry)
    entry.cancelTimer()
  }

  async function run(entry: Entry): Promise<void> {
    if (!waiting.has(entry)) return
    callOff(entry)
    await entry.task()
  }

  function add(ms: number, task: Entry['task'], onCallOff: () => void): Entry {
    const entry: Entry = { dueAt: clock.now() + Math.max(0, ms), task, cancelTimer: () => {}, onCallOff }
    waiting.add(entry)
    arm(entry)
    return entry
  }

  return {
    after(ms, task) {
      const entry = add(ms, task, () => {})
      return () => callOff(entry)
    },
    pause: (ms) =>
      new Promise((resolve) => {
        add(
          ms,
          () => resolve(true),
          () => resolve(false),
        )
      }),
    async wake() {
      const due = [...waiting].filter(({ dueAt }) => dueAt <= clock.now()).sort((a, b) => a.dueAt - b.dueAt)
      await Promise.all(due.map(run))
    },
    cancelAll() {
      for (const entry of [...waiting]) {
        callOff(entry)
        entry.onCallOff()
      }
    },
  }
}
