import { describe, expect, it } from 'vitest'
import { inLanguage } from './bilingual.ts'

describe('a bilingual text', () => {
  const name = 'وكيل منى 1 · Mina Agent 1'

  it('shows the part in the reader’s language', () => {
    expect(inLanguage(name, 'ar')).toBe('وكيل منى 1')
    expect(inLanguage(name, 'en')).toBe('Mina Agent 1')
  })

  it.each(['Mina Agent 1', 'وكيل منى', 'Shop 4 · Mina', 'مخيم 4 · منى', 'مخيم منى · 4', ''])(
    'leaves «%s» whole',
    (text) => {
      expect(inLanguage(text, 'ar')).toBe(text)
      expect(inLanguage(text, 'en')).toBe(text)
    },
  )
})
