import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { createCodesStore } from '#server/features/sessions/codes.store.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { noon } from '#test/kit/clock.ts'

const script = fileURLToPath(new URL('./unlock-phone.ts', import.meta.url))
const phone = '+966512345678'

function run(dataDir: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
    const node = ['--disable-warning=ExperimentalWarning', script, ...args]
    execFile(process.execPath, node, { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out.trim(), err: err.trim() }),
    )
  })
}

async function openPlace() {
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-unlock-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

it('opens a locked phone for both audiences while the gateway runs, in any spelling', async () => {
  const dataDir = await openPlace()
  const database = await openDatabase({ url: undefined, dataDir, onIdleError: () => undefined })
  onTestFinished(() => database.close())
  const store = createCodesStore(database)
  const rowsOf = (audience: 'user' | 'agent') =>
    database.transaction(() => store.lockPhone(audience, phone, noon))
  for (const audience of ['user', 'agent'] as const) {
    await rowsOf(audience)
    await store.countInARow(audience, phone, 'open')
  }
  expect(await run(dataDir, '0512345678')).toEqual({ code: 0, out: `${phone}: open again`, err: '' })
  expect([await rowsOf('user'), await rowsOf('agent')]).toEqual([
    { open: 0, known: 0 },
    { open: 0, known: 0 },
  ])
  expect((await run(dataDir, phone)).out).toBe(`${phone}: was not locked`)
})

it('says how it is used, and where it looked', async () => {
  const dataDir = await openPlace()
  for (const args of [[], ['not a phone'], [phone, phone]])
    expect(await run(dataDir, ...args)).toMatchObject({ code: 1, err: expect.stringContaining('usage:') })
  expect(await run(dataDir, phone)).toMatchObject({ code: 1, err: expect.stringContaining(dataDir) })
})
