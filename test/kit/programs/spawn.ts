import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { leashed, programEnv, programFlags } from '../../../scripts/lib/repo.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const listening = new URL('listening.mjs', import.meta.url).href

/** Starts a program of the repository as a process that ends with its parent, and sends a message when it listens. */
export function spawnNode(
  entry: string,
  {
    args = [],
    env,
    output = 'pipe',
  }: {
    args?: readonly string[]
    env: NodeJS.ProcessEnv
    /** A file instead of the two pipes. */
    output?: number | 'pipe'
  },
): ChildProcessByStdio<null, Readable, Readable> {
  const flags = [...programFlags, ...leashed, '--import', listening]
  // The fourth pipe ends the child with its parent (scripts/lib/leash.mjs); the types allow three.
  return spawn(process.execPath, [...flags, entry, ...args], {
    cwd: root,
    env: { ...programEnv, ...env },
    stdio: ['ignore', output, output, 'ipc'],
  }) as unknown as ChildProcessByStdio<null, Readable, Readable>
}
