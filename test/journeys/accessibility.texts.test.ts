import { describe, expect, it } from 'vitest'
import { isForeign, textsOf } from '#test/kit/accessibility.ts'

describe('the check for one language per page', () => {
  it('reads names, texts and placeholders of an accessibility tree, and nothing else', () => {
    const tree = [
      '- main:',
      '  - heading "Pay \\"now\\"" [level=1]',
      '  - link "OD-12":',
      '    - /url: /orders',
      '  - textbox "Name":',
      '    - /placeholder: Your name',
      '  - \'button "a: b"\'',
      '  - text: plain words',
    ].join('\n')
    expect(textsOf(tree)).toEqual(['Pay \\"now\\"', 'OD-12', 'Name', ' Your name', 'a: b', 'plain words'])
  })

  it('finds a word of the other language and ignores what users typed', () => {
    expect(isForeign('close', 'ar', [])).toBe(true)
    expect(isForeign('طلب OD-12 بصيغة PDF', 'ar', [])).toBe(false)
    expect(isForeign('مرحبًا Bilal Khan', 'ar', ['Bilal Khan'])).toBe(false)
    expect(isForeign('Total ر.س 50', 'en', [])).toBe(true)
    expect(isForeign('العربية', 'en', [])).toBe(false)
  })
})
