import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { tools } from './repo.mjs'

export interface TestFailure {
  readonly file: string | undefined
  readonly test: string
}

export interface Copy {
  write(file: string, text: string): void
  /** Runs tests until one fails. `late`: they did not end in time, and were killed. */
  run(tests: readonly string[], withinMs: number): Promise<'passed' | 'late' | TestFailure>
  close(): void
}

/**
 * Threads end with their process: a mutant may loop for ever. A test that fails by chance passes when it is
 * repeated.
 */
const flags = ['--bail=1', '--retry=1', '--pool=threads', '--isolate', '--maxWorkers=2', '--reporter=json']
const layers = ['unit', 'client', 'components', 'repo', 'stores', 'gateway', 'process']

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {}
}

/** A copy of the repository in a temporary folder, so that the working tree is not changed. */
export function makeCopy(root: string, files: readonly string[]): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'amtiati-mutants-'))
  chmodSync(folder, 0o755)
  const copy = join(folder, 'repo')
  const report = join(folder, 'report.json')
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  for (const file of files) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  let end: (() => void) | undefined
  let isClosed = false

  function firstFailure(): TestFailure {
    const { testResults }: Report = existsSync(report)
      ? JSON.parse(readFileSync(report, 'utf8'))
      : { testResults: [] }
    const failed = testResults.find(({ status }) => status === 'failed')
    if (failed === undefined) return { file: undefined, test: 'an error outside of any test' }
    const test = failed.assertionResults.find(({ status }) => status === 'failed')
    return { file: relative(copy, failed.name), test: test?.fullName ?? failed.message }
  }

  return {
    write(file, text) {
      if (!isClosed) writeFileSync(join(copy, file), text)
    },
    async run(tests, withinMs) {
      rmSync(report, { force: true })
      const projects = layers.map((layer) => `--project=${layer}`)
      const args = [tools.vitest, 'run', ...tests, ...projects, ...flags, `--outputFile=${report}`]
      if (isClosed) return 'late'
      // Its own group: a mutant may loop for ever in a process that a test has started.
      const child = spawn(process.execPath, args, {
        cwd: copy,
        env: { ...process.env, TMPDIR: temporary },
        stdio: 'ignore',
        detached: true,
      })
      end = () => killGroup(child)
      const timer = setTimeout(end, withinMs)
      const [code] = await once(child, 'exit')
      clearTimeout(timer)
      end()
      end = undefined
      if (code === null) return 'late'
      return code === 0 ? 'passed' : firstFailure()
    },
    close() {
      isClosed = true
      end?.()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
