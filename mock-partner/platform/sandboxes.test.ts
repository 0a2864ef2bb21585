import { expect, it } from 'vitest'
import { createSandboxes } from './sandboxes.ts'

it('a phone belongs to the sandbox of its prefix, others to none', () => {
  const sandboxes = createSandboxes()
  sandboxes.open({ name: 'one', phonePrefix: '+966500901' })
  sandboxes.open({ name: 'two', phonePrefix: '+966500902' })
  expect(sandboxes.nameOf('+966500901234')).toBe('one')
  expect(sandboxes.nameOf('+966500902234')).toBe('two')
  expect(sandboxes.nameOf('+966512345678')).toBeUndefined()
  expect(sandboxes.nameOf(null)).toBeUndefined()
  expect(sandboxes.end('one')).toBe(true)
  expect(sandboxes.nameOf('+966500901234')).toBeUndefined()
  expect(sandboxes.end('one')).toBe(false)
})

it('no phone belongs to two', () => {
  const sandboxes = createSandboxes()
  const one = { name: 'one', phonePrefix: '+96650090' }
  expect(sandboxes.open(one)).toBeUndefined()
  for (const phonePrefix of ['+96650090', '+9665009', '+966500901'])
    expect(sandboxes.open({ name: 'two', phonePrefix })).toEqual(one)
  expect(sandboxes.list()).toEqual([one])
  expect(sandboxes.open({ name: 'one', phonePrefix: '+966500901' })).toBeUndefined()
  expect(sandboxes.list()).toEqual([{ name: 'one', phonePrefix: '+966500901' }])
})
