import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { spawnNode } from '#test/kit/programs/spawn.ts'
import { lockSqlite } from './lock.ts'
import { openDatabase } from './open.ts'

const holder = fileURLToPath(new URL('../../../test/kit/database/lock-holder.ts', import.meta.url))

const openExclusive = (dataDir: string) =>
  openDatabase({ url: undefined, dataDir, mode: 'demo', isExclusive: true, onIdleError: () => undefined })

describe('the lock of a SQLite file', () => {
  it('is refused to a second gateway until the first has closed', async () => {
    const dataDir = freshFolder()
    const first = await openExclusive(dataDir)
    expect(first.isExclusive).toBe(true)
    const refusal = await openExclusive(dataDir).catch((error: Error) => error)
    expect(refusal).toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(/^.*amtiati\.sqlite is in use.*$/),
    })
    await first.close()
    await (await openExclusive(dataDir)).close()
  })

  it('allows tools to read and write', async () => {
    const dataDir = freshFolder()
    const gateway = await openExclusive(dataDir)
    const tool = await openDatabase({ url: undefined, dataDir, mode: 'demo', onIdleError: () => undefined })
    expect(tool.isExclusive).toBe(false)
    await tool.check()
    await tool.close()
    await gateway.close()
  })

  it('ends when its process is killed', async () => {
    const path = join(freshFolder(), 'amtiati.sqlite')
    const child = spawnNode(holder, { args: [path], env: process.env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    expect(line).toBe('held')
    expect(() => lockSqlite(path)).toThrow(/is in use by another gateway/)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    lockSqlite(path).release()
  })
})
