import { spawn } from 'node:child_process'
import { leashed, node, root } from './repo.mjs'

const running = new Set()

/** Runs a command with its output on ours. Resolves with the exit code; a signal counts as 1. */
export async function run(command, args, env = process.env) {
  const { code } = await start(command, args, env, 'inherit')
  return code ?? 1
}

/**
 * Runs a command and keeps its output. Resolves with `{ code, output, stdout }`; `output` has stderr, too, and the code is
 * null after a signal.
 */
export function runQuietly(command, args, env = process.env) {
  return start(command, args, env, 'pipe')
}

function start(command, args, env, output) {
  return new Promise((resolve, reject) => {
    const isOurs = command === node
    const stdio = ['ignore', output, output, ...(isOurs ? ['ipc'] : [])]
    const child = spawn(command, isOurs ? [...leashed, ...args] : args, { cwd: root, env, stdio })
    running.add(child)
    const [parts, outParts] = [[], []]
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part))
    child.stdout?.on('data', (part) => outParts.push(part))
    child.once('error', reject)
    // `close`, not `exit`: output may still be in the pipe.
    child.once('close', (code) => {
      running.delete(child)
      resolve({
        code,
        output: Buffer.concat(parts).toString(),
        stdout: Buffer.concat(outParts).toString(),
      })
    })
  })
}

export async function stopRunning() {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(ended)
}
