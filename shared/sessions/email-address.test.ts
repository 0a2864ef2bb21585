import { describe, expect, it } from 'vitest'
import { readEmail } from './email-address.ts'

describe('an e-mail address', () => {
  it.each([
    ['  Ali@Mail.Example ', 'ali@mail.example'],
    ['ali\u200f@mail.example', 'ali@mail.example'],
    ['info@münchen.de', 'info@xn--mnchen-3ya.de'],
    ['ali@موقع.السعودية', 'ali@xn--4gbrim.xn--mgberp4a5d4ar'],
  ])('is read from %j', (typed, read) => {
    expect(readEmail(typed)).toBe(read)
    expect(readEmail(read)).toBe(read)
  })

  it.each([
    'ali',
    'ali@mail',
    'ali@@mail.example',
    'ali@münchen',
    'ali@mün chen.de',
    'ali@m/ün.de',
    'علي@mail.example',
  ])('is not %j', (typed) => expect(readEmail(typed)).toBeUndefined())
})
