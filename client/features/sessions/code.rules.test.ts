import { describe, expect, it } from 'vitest'
import { cleanTypedCode, isCodeComplete, isFilledAtOnce, minutesValid } from './code.rules.ts'

describe('the typed code', () => {
  it.each([
    ['١٢٣٤', '1234'],
    ['۱۲۳۴', '1234'],
    ['১২৩৪', '1234'],
    ['१२३४', '1234'],
    ['12 34', '1234'],
    ['12-34', '1234'],
    ['123456', '1234'],
    ['رمزك 4321', '4321'],
    ['abc', ''],
  ])('%s becomes %s', (typed, code) => {
    expect(cleanTypedCode(typed)).toBe(code)
  })

  it('is complete with exactly four digits', () => {
    expect(['', '123', '1234'].map(isCodeComplete)).toEqual([false, false, true])
  })
})

describe('the times of a code', () => {
  it('give whole minutes, at least one', () => {
    const valid = (expiresAt: number) => minutesValid({ sentAt: 0, expiresAt })
    expect([valid(300_000), valid(119_000), valid(20_000)]).toEqual([5, 1, 1])
  })
})

describe('a code entered at once', () => {
  it.each([
    ['', '1234', true],
    ['0000', '1234', true],
    ['12', '1234', true],
    ['123', '1234', false],
    ['1235', '1234', false],
    ['', '123', false],
  ])('after %j %j: %s', (before, after, isAtOnce) => {
    expect(isFilledAtOnce(before, after)).toBe(isAtOnce)
  })
})
