import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programEnv } from '../../../scripts/lib/repo.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface Output {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a tool of `scripts/` as an operator does, with no environment but `env`. */
export const runScript = (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder = root,
): Promise<Output> => runFile(`scripts/${name}.ts`, args, env, folder)

/** Runs a file of the repository to its end, with no environment but `env`. */
export function runFile(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = root,
): Promise<Output> {
  return new Promise((resolve) => {
    const node = ['--preserve-symlinks', '--preserve-symlinks-main']
    execFile(
      process.execPath,
      [...node, join(folder, path), ...args],
      { cwd: folder, env: { PATH: process.env.PATH, ...programEnv, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out.trim(), err: err.trim() }),
    )
  })
}

/**
 * Calls a tool of `scripts/` in this process, with the modules it has loaded already: several times faster than
 * `runScript`. Arguments, environment, lines and exit code are those of a process; signals and `.env` are not tried.
 */
export async function callScript(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Output> {
  const [before, argv] = [{ ...process.env }, process.argv]
  const lines = { out: [] as string[], err: [] as string[] }
  const { log, error } = console
  console.log = (line) => void lines.out.push(String(line))
  console.error = (line) => void lines.err.push(String(line))
  replaceEnvironment({ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env })
  process.argv = [process.execPath, name, ...args]
  calls += 1
  try {
    // A name of its own each time, or the second call would find the module loaded.
    await import(/* @vite-ignore */ join(root, `scripts/${name}.ts?call=${calls}`))
    return { code: Number(process.exitCode ?? 0), out: lines.out.join('\n'), err: lines.err.join('\n') }
  } finally {
    process.exitCode = undefined
    process.argv = argv
    replaceEnvironment(before)
    Object.assign(console, { log, error })
  }
}

let calls = 0

/** In place: the process reads its own object. */
function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
}
