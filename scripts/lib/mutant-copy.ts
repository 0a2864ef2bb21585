import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestFailure, WorkNote, WorkOrder } from './mutant-worker.ts'

/** How a group of tests ended: `late` when no test file ended for too long. */
export type GroupResult = 'passed' | 'late' | TestFailure

export interface Copy {
  /** Changes a file for the following tests. */
  write(file: string, text: string): void
  /** Runs tests until one fails. `patienceMs` is how long to wait for the next test file to end. */
  run(tests: readonly string[], patienceMs: number): Promise<GroupResult>
  /** Ends what still runs and removes the copy. */
  close(): Promise<void>
}

/** A copy of the repository in a temporary folder, so that the working tree is not changed. */
export function makeCopy(root: string, files: readonly string[]): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'amtiati-mutants-'))
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  const copy = join(folder, 'repo')
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

  let worker: ChildProcess | undefined
  let changed: string[] = []
  let lastOutput = ''
  let closing: Promise<void> | undefined

  function startWorker(): ChildProcess {
    // In a process group of its own: Ctrl-C then reaches only this process, which ends the group.
    const child = fork(join(copy, 'scripts/lib/mutant-worker.ts'), {
      cwd: copy,
      detached: true,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    // Tests write much to stderr; its last part is printed only when the process ends by itself.
    lastOutput = ''
    child.stderr?.on('data', (chunk) => {
      lastOutput = (lastOutput + chunk).slice(-2_000)
    })
    return child
  }

  async function endWorker(): Promise<void> {
    const child = worker
    worker = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    // The process that keeps PostgreSQL ends by itself, and stops it, when its parent is gone.
    for (let tries = 0; tries < 100 && isGroupAlive(child.pid); tries += 1) await delay(100)
    if (isGroupAlive(child.pid)) process.kill(-child.pid, 'SIGKILL')
  }

  return {
    write(file, text) {
      if (closing !== undefined) return
      writeFileSync(join(copy, file), text)
      changed.push(file)
    },
    async run(tests, patienceMs) {
      if (closing !== undefined) return 'late'
      worker ??= startWorker()
      const child = worker
      const result = await new Promise<GroupResult | 'ended'>((resolve) => {
        let timer = setTimeout(() => settle('late'), patienceMs)
        const settle = (value: GroupResult | 'ended') => {
          clearTimeout(timer)
          child.off('message', listen)
          child.off('exit', ended)
          resolve(value)
        }
        const listen = (note: WorkNote) => {
          if (note.kind === 'done') return settle(note.failed ?? 'passed')
          clearTimeout(timer)
          timer = setTimeout(() => settle('late'), patienceMs)
        }
        const ended = () => settle('ended')
        child.on('message', listen)
        child.on('exit', ended)
        child.send({ tests, changed } satisfies WorkOrder)
        changed = []
      })
      if (result === 'passed' || typeof result === 'object') return result
      if (closing !== undefined) return 'late'
      await endWorker()
      if (result === 'ended') throw new Error(`the tests ended by themselves:\n${lastOutput}`)
      return 'late'
    },
    close() {
      closing ??= endWorker().then(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
      return closing
    },
  }
}

function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}
