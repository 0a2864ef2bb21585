import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

it('runs the works of a key in turn, also after one that failed, and those of others beside them', async () => {
  const inTurn = createTurns<string>()
  const begun: string[] = []
  const first = Promise.withResolvers<string>()
  const failing = inTurn('a', () => {
    begun.push('a1')
    return first.promise
  })
  const second = inTurn('a', async () => void begun.push('a2'))
  await inTurn('b', async () => void begun.push('b1'))
  expect(begun).toEqual(['a1', 'b1'])

  first.reject(new Error('failed'))
  await expect(failing).rejects.toThrow('failed')
  await second
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})
