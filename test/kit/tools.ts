import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programEnv } from '../../scripts/lib/repo.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Output {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a tool of `scripts/` as an operator does, with no environment but `env`. */
export function runScript(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder = root,
): Promise<Output> {
  return new Promise((resolve) => {
    const node = ['--preserve-symlinks', '--preserve-symlinks-main']
    execFile(
      process.execPath,
      [...node, join(folder, `scripts/${name}.ts`), ...args],
      { cwd: folder, env: { PATH: process.env.PATH, ...programEnv, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out.trim(), err: err.trim() }),
    )
  })
}
