import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../scripts/ops.ts', import.meta.url))

/** What `npm run ops -- <args>` prints for a database. @throws with its error output. */
export function runOps(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, out, err) => (error ? reject(new Error(err.trim(), { cause: error })) : resolve(out)),
    )
  })
}
