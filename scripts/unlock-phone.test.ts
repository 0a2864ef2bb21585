import { expect, it, onTestFinished } from 'vitest'
import { createOtpStore } from '#server/features/otp/otp.store.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { noon } from '#test/kit/clock.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'
import { callScript } from '#test/kit/tools.ts'

const phone = '+966512345678'

const run = (dataDir: string, ...args: string[]) => callScript('unlock-phone', args, { DATA_DIR: dataDir })

it('unlocks a phone for both roles while the gateway runs, in any spelling', async () => {
  const dataDir = freshFolder()
  const database = await openDatabase({ url: undefined, dataDir, onIdleError: () => undefined })
  onTestFinished(() => database.close())
  const store = createOtpStore(database)
  const rowsOf = (role: 'user' | 'agent') =>
    database.transaction(() => store.lockPhone({ role, phone, trust: 'open' }, noon))
  for (const role of ['user', 'agent'] as const) await rowsOf(role)
  await database.tables.updateTable('otp_counters').set({ consecutive_failures: 20 }).execute()
  expect([await rowsOf('user'), await rowsOf('agent')]).toEqual([20, 20])
  expect(await run(dataDir, '0512345678')).toEqual({
    code: 0,
    out: `database: SQLite ${dataDir}/amtiati.sqlite, 0 orders, 0 users\n${phone}: open again`,
    err: '',
  })
  expect([await rowsOf('user'), await rowsOf('agent')]).toEqual([0, 0])
  expect(await run(dataDir, phone)).toMatchObject({ code: 1, err: expect.stringContaining('was not locked') })
})

it('prints its usage, and the database it opened', async () => {
  const dataDir = freshFolder()
  for (const args of [[], ['not a phone'], [phone, phone]])
    expect(await run(dataDir, ...args)).toMatchObject({ code: 1, err: expect.stringContaining('usage:') })
  expect(await run(dataDir, phone)).toMatchObject({ code: 1, err: expect.stringContaining(dataDir) })
})
