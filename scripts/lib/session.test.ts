import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '#test/kit/basics/eventually.ts'

const session = new URL('./session.mjs', import.meta.url).href

/** A child that prints its port and ignores SIGTERM. */
const stubborn = `
  process.on('SIGTERM', () => {})
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))
`
const program = `
  import { runSession } from '${session}'
  const args = ['-e', ${JSON.stringify(stubborn)}]
  await runSession(async () => ({
    children: [{ name: 'child', command: process.execPath, args, env: process.env }],
    raw: true,
    banner: '',
  }))
`

it('a second Ctrl-C ends a session at once, with children that do not close', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const port = await new Promise<number>((resolve) =>
    lines.on('line', (line) => /^\d+$/.test(line) && resolve(Number(line))),
  )
  await eventually(() => {
    child.kill('SIGINT')
    return child.exitCode ?? undefined
  })
  expect(await ended).toEqual([130, null])
  await eventually(async () => {
    const socket = connect({ host: '127.0.0.1', port })
    const isClosed = await once(socket, 'connect').then(
      () => undefined,
      () => true,
    )
    socket.destroy()
    return isClosed
  })
})
