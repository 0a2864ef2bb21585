import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { Coordinates, IdempotencyHeaders, NoBody, NumberInPath } from './platform.schemas.ts'

describe('NumberInPath', () => {
  it.each(['1', '42', '999999999999999'])('accepts %s', (text) => {
    expect(Value.Check(NumberInPath, text)).toBe(true)
  })

  it.each(['0', '01', '-1', '1.5', '1e3', ' 1', '1 ', '٤٢', '', '1000000000000000', 42])(
    'refuses %j',
    (value) => {
      expect(Value.Check(NumberInPath, value)).toBe(false)
    },
  )
})

describe('NoBody', () => {
  it('accepts null and an empty object, and refuses any field', () => {
    expect(Value.Check(NoBody, null)).toBe(true)
    expect(Value.Check(NoBody, {})).toBe(true)
    expect(Value.Check(NoBody, { force: true })).toBe(false)
    expect(Value.Check(NoBody, [])).toBe(false)
  })
})

describe('Coordinates', () => {
  it('accepts a point on earth, or null', () => {
    expect(Value.Check(Coordinates, { latitude: 21.4, longitude: 39.8 })).toBe(true)
    expect(Value.Check(Coordinates, null)).toBe(true)
    expect(Value.Check(Coordinates, { latitude: 91, longitude: 0 })).toBe(false)
    expect(Value.Check(Coordinates, { latitude: 0, longitude: -181 })).toBe(false)
  })
})

describe('IdempotencyHeaders', () => {
  it.each(['12345678', crypto.randomUUID(), 'x'.repeat(128)])('accepts the key %s', (key) => {
    expect(Value.Check(IdempotencyHeaders, { 'idempotency-key': key })).toBe(true)
  })

  it.each(['', '1234567', 'x'.repeat(129), 'with space', 'مفتاح-طويل'])('refuses the key %j', (key) => {
    expect(Value.Check(IdempotencyHeaders, { 'idempotency-key': key })).toBe(false)
  })

  it('is optional, and accepts other headers', () => {
    expect(Value.Check(IdempotencyHeaders, { host: 'localhost', accept: '*/*' })).toBe(true)
  })
})
