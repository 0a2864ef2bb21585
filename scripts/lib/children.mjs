import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { readLogLine } from './logs.mjs'
import { root } from './repo.mjs'

const keptLines = 15
/** Then a child is killed. Longer than `stopGraceMs` of the server; a test in `test/repo` compares them. */
export const graceMs = 80_000

/**
 * Starts processes that end together. `specs`: `{ name, command, args, env, ready? }`; `ready` is a URL that
 * answers 200 once the process works. `show(text)` gets lines from warnings upwards; with `raw` every line,
 * unformatted.
 */
export function startChildren(specs, { show, raw }) {
  const children = specs.map((spec) => startChild(spec, { show, raw }))
  return {
    untilReady: (timeoutMs) => Promise.all(children.map((child) => untilReady(child, timeoutMs))),
    /** Resolves with the first child that ends: `{ name, code, signal, unseenLines }`. */
    firstEnd: Promise.race(children.map((child) => child.ended)),
    stop: () => Promise.all(children.map((child) => stopChild(child))),
    kill: () => children.forEach(({ child }) => void child.kill('SIGKILL')),
  }
}

function startChild({ name, command, args, env, ready }, { show, raw }) {
  // In its own process group: Ctrl-C in the terminal then reaches only this process, which stops the children in
  // order.
  const options = { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }
  const child = spawn(command, args, options)
  const unseenLines = []
  const state = { hasEnded: false }
  const onLine = (isStderr) => (line) => {
    const { text, isQuiet } = readLogLine(name, line, isStderr)
    if (raw || !isQuiet) {
      show(raw ? line : text)
      unseenLines.length = 0
      return
    }
    unseenLines.push(text)
    if (unseenLines.length > keptLines) unseenLines.shift()
  }
  createInterface({ input: child.stdout }).on('line', onLine(false))
  createInterface({ input: child.stderr }).on('line', onLine(true))
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      state.hasEnded = true
      resolve({ name, code: 1, signal: null, unseenLines: [error.message] })
    })
    // `close`, not `exit`: output may still be in the pipe.
    child.once('close', (code, signal) => {
      state.hasEnded = true
      resolve({ name, code, signal, unseenLines })
    })
  })
  return { name, ready, child, state, ended }
}

async function untilReady({ name, ready, state }, timeoutMs) {
  if (ready === undefined) return
  const deadline = Date.now() + timeoutMs
  while (!(await answers(ready))) {
    // `firstEnd` reports its end.
    if (state.hasEnded) return new Promise(() => {})
    if (Date.now() > deadline)
      throw new Error(`${name} was not ready after ${timeoutMs / 1000} s (${ready}).`)
    await delay(100)
  }
}

async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

async function stopChild({ child, state, ended }) {
  if (state.hasEnded) return
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(force)
}
