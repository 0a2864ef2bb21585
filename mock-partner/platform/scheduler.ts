import type { Clock } from './clock.ts'

export type SetTimer = (ms: number, run: () => void) => () => void

interface Entry {
  dueAt: number
  task: () => void | Promise<void>
  cancelTimer: () => void
  onCancel: () => void
}

/** Longer waits overflow Node's 32-bit timers and would fire at once. */
const longestTimerMs = 2_147_483_647

/** Timers do not keep the process alive. */
const setUnrefTimer: SetTimer = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, longestTimerMs))
  timer.unref()
  return () => clearTimeout(timer)
}

/**
 * Runs tasks later by the simulator's clock: advancing the clock also brings them forward.
 * @param setTimer tests pass one that never fires and advance the clock instead.
 */
export function createScheduler(clock: Clock, setTimer: SetTimer = setUnrefTimer) {
  const waiting = new Set<Entry>()

  function arm(entry: Entry): void {
    entry.cancelTimer = setTimer(Math.max(0, entry.dueAt - clock.now()), () => {
      if (clock.now() < entry.dueAt) arm(entry)
      else void run(entry)
    })
  }

  function cancel(entry: Entry): void {
    waiting.delete(entry)
    entry.cancelTimer()
  }

  async function run(entry: Entry): Promise<void> {
    if (!waiting.has(entry)) return
    cancel(entry)
    await entry.task()
  }

  function add(ms: number, task: Entry['task'], onCancel: () => void): Entry {
    const entry: Entry = { dueAt: clock.now() + Math.max(0, ms), task, cancelTimer: () => {}, onCancel }
    waiting.add(entry)
    arm(entry)
    return entry
  }

  return {
    /** Runs `task` once `ms` have passed; returns a function that cancels it. */
    after(ms: number, task: Entry['task']): () => void {
      const entry = add(ms, task, () => {})
      return () => cancel(entry)
    },
    /** Resolves to true once `ms` have passed, to false when everything is cancelled. */
    pause: (ms: number): Promise<boolean> =>
      new Promise((resolve) => {
        add(
          ms,
          () => resolve(true),
          () => resolve(false),
        )
      }),
    /** Runs what is due after the clock was advanced, earliest first; resolves when all of it is done. */
    async wake(): Promise<void> {
      const due = [...waiting].filter(({ dueAt }) => dueAt <= clock.now()).sort((a, b) => a.dueAt - b.dueAt)
      await Promise.all(due.map(run))
    },
    cancelAll(): void {
      for (const entry of [...waiting]) {
        cancel(entry)
        entry.onCancel()
      }
    },
  }
}
export type Scheduler = ReturnType<typeof createScheduler>
