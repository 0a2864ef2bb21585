import { describe, expect, it } from 'vitest'
import { addressOf } from './address.rules.ts'

describe('the address', () => {
  const both = { addressAR: 'الملز', addressEN: 'Malaz', address: 'plain' }

  it('is in the given language', () => {
    expect(addressOf(both, 'ar')).toBe('الملز')
    expect(addressOf(both, 'en')).toBe('Malaz')
  })

  it('falls back to the one without a language', () => {
    expect(addressOf({ addressAR: 'الملز', address: 'plain' }, 'en')).toBe('plain')
    expect(addressOf({ addressAR: '', address: 'plain' }, 'ar')).toBe('plain')
    expect(addressOf({}, 'ar')).toBeUndefined()
  })
})
