import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { demoControlKey } from './demo-key.mjs'

it('the key of the demo is drawn once for a data folder, and only its owner may read it', async () => {
  const folder = freshFolder()
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  const key = demoControlKey(one)
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(demoControlKey(one)).toBe(key)
  expect(demoControlKey(other)).not.toBe(key)
  expect((await stat(join(one, 'demo-control-key'))).mode & 0o777).toBe(0o600)
})
