import { spawn } from 'node:child_process'
import { root } from './repo.mjs'

const running = new Set()

/** Runs a command to its end with its output on ours. Resolves with the exit code; a signal counts as 1. */
export function run(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    running.add(child)
    child.once('error', reject)
    child.once('exit', (code) => {
      running.delete(child)
      resolve(code ?? 1)
    })
  })
}

/** Ends whatever `run` has under way, for a caller that was told to stop. */
export function stopRunning() {
  for (const child of running) child.kill('SIGTERM')
}
