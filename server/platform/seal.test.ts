import { expect, it } from 'vitest'
import { createSeal } from './seal.ts'

const { seal, open } = createSeal('a secret', 'flow')

it('opens what it sealed, and never writes a text twice in the same way', () => {
  const sealed = seal('{"state":"من منى"}')
  expect(open(sealed)).toBe('{"state":"من منى"}')
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(seal('{"state":"من منى"}')).not.toBe(sealed)
})

it('opens nothing of another secret or purpose, nothing changed and nothing made up', () => {
  expect(createSeal('another secret', 'flow').open(seal('text'))).toBeUndefined()
  expect(createSeal('a secret', 'id token').open(seal('text'))).toBeUndefined()
  const bytes = Buffer.from(seal('text'), 'base64url')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(open(changed.toString('base64url'))).toBeUndefined()
  }
  for (const text of ['', 'A', 'A'.repeat(37), 'A'.repeat(200), '{"state":"x"}'])
    expect(open(text)).toBeUndefined()
})
