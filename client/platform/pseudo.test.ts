// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { isPseudoWanted, pseudoText, pseudoTexts } from './pseudo.ts'

beforeEach(() => sessionStorage.clear())

describe('the pseudo-language', () => {
  it('is longer, bracketed, accented and right-to-left, and leaves placeholders alone', () => {
    const text = pseudoText('Pay {{amount}} now')
    expect(text).toBe('\u2067⟦Páý {{amount}} ñöw ········⟧\u2069')
    expect(text.length).toBeGreaterThan('Pay {{amount}} now'.length * 1.4)
  })

  it('has the six plural forms of Arabic for the two of English', () => {
    const texts = pseudoTexts({ found_one: 'one order', found_other: '{{count}} orders', a: { b: 'Go' } })
    const forms = ['few', 'many', 'one', 'other', 'two', 'zero'].map((form) => `found_${form}`)
    expect(Object.keys(texts).sort()).toEqual(['a', ...forms])
    expect(texts).toMatchObject({ a: { b: pseudoText('Go') }, found_few: pseudoText('{{count}} orders') })
  })

  it('is turned on by the address and stored for the tab until it is turned off', () => {
    expect(isPseudoWanted('')).toBe(false)
    expect(isPseudoWanted('?pseudo')).toBe(true)
    expect(isPseudoWanted('?success=true')).toBe(true)
    expect(isPseudoWanted('?pseudo=off')).toBe(false)
    expect(isPseudoWanted('')).toBe(false)
  })
})
