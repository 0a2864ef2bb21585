import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '#test/kit/eventually.ts'
import { spawnNode } from '#test/kit/spawn.ts'

/** A program that starts the processes of a test file, prints their addresses, and is killed with SIGKILL. */
const starter = fileURLToPath(new URL('./processes.starter.ts', import.meta.url))

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

it('gateway, simulator and PostgreSQL end when their parent process is killed', async () => {
  // A killed program cannot delete its data folders.
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-processes-'))
  // PostgreSQL runs as a user of its own when the tests run as root.
  await chmod(folder, 0o755)
  const child = spawnNode(starter, { env: { ...process.env, TMPDIR: folder } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the program ended with ${code} before it was killed`)
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
  ended.catch(() => {})
  const ports: number[] = JSON.parse(line)
  expect(ports).toHaveLength(3)
  for (const port of ports) expect(await isListening(port)).toBe(true)
  child.kill('SIGKILL')
  for (const port of ports) await eventually(async () => ((await isListening(port)) ? undefined : true))
  await eventually(async () => {
    await rm(folder, { recursive: true, force: true })
    return true
  })
})
