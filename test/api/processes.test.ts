import { once } from 'node:events'
import { connect } from 'node:net'
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
  const child = spawnNode(starter, { env: process.env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const ports: number[] = JSON.parse(line)
  expect(ports).toHaveLength(3)
  for (const port of ports) expect(await isListening(port)).toBe(true)
  child.kill('SIGKILL')
  for (const port of ports) await eventually(async () => ((await isListening(port)) ? undefined : true))
})
