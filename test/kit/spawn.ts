import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { programEnv, programFlags } from '../../scripts/lib/repo.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const leash = new URL('../../scripts/lib/leash.mjs', import.meta.url).href
const listening = new URL('listening.mjs', import.meta.url).href

/** Starts a program of the repository as a process that ends with its parent, and sends a message when it listens. */
export function spawnNode(
  entry: string,
  {
    args = [],
    env,
    folder = root,
  }: { args?: readonly string[]; env: NodeJS.ProcessEnv; folder?: string | undefined },
): ChildProcessByStdio<null, Readable, Readable> {
  const flags = [...programFlags, '--import', leash, '--import', listening]
  // The fourth pipe ends the child with its parent (scripts/lib/leash.mjs); the types allow three.
  return spawn(process.execPath, [...flags, entry, ...args], {
    cwd: folder,
    env: { ...programEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as unknown as ChildProcessByStdio<null, Readable, Readable>
}
