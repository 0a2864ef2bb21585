import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { createSnapshot } from './snapshot.ts'

function setUp(take: () => unknown) {
  const folder = freshFolder()
  const path = join(folder, 'inner', 'world.json')
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  return { path, errors, folder: join(folder, 'inner'), snapshot: createSnapshot({ path, take, onError }) }
}

it('reads nothing at first, and after a close the state that was marked as changed', async () => {
  let state = { step: 1 }
  const { path, snapshot, folder } = setUp(() => state)
  expect(snapshot.read()).toBeUndefined()
  snapshot.touch()
  state = { step: 2 }
  await snapshot.close()
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ step: 2 })
  expect(readdirSync(folder)).toEqual(['world.json'])
  expect(snapshot.read()).toEqual({ step: 2 })
})

it('writes nothing when nothing changed', async () => {
  const { snapshot, folder } = setUp(() => ({}))
  snapshot.read()
  await snapshot.close()
  expect(readdirSync(folder)).toEqual([])
})

it('renames and reports a damaged file', () => {
  const { path, snapshot, folder, errors } = setUp(() => ({}))
  snapshot.read()
  writeFileSync(path, '{"step":')
  expect(snapshot.read()).toBeUndefined()
  expect(readdirSync(folder)).toEqual(['world.json.damaged'])
  expect(errors).toHaveLength(1)
})

it('rejects a close when writing fails', async () => {
  const { snapshot, folder } = setUp(() => ({}))
  snapshot.read()
  rmSync(folder, { recursive: true })
  snapshot.touch()
  await expect(snapshot.close()).rejects.toThrow('ENOENT')
})
