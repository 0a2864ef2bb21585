import { describe, expect, it } from 'vitest'
import { fromHeader } from './language.ts'

describe('fromHeader', () => {
  it.each([
    ['en', 'en'],
    ['ar', 'ar'],
    ['en-GB,en;q=0.9', 'en'],
    ['AR-sa', 'ar'],
    ['fr-FR, ur;q=0.9, en;q=0.5, ar;q=0.4', 'en'],
    ['en;q=0.3, ar;q=0.8', 'ar'],
    ['en;q=0, ar;q=0.1', 'ar'],
    ['ar;q=0.5,en;q=0.5', 'ar'],
    ['en;level=1;q=0.2, ar;q=0.3', 'ar'],
    [' en ; q=0.9', 'en'],
  ])('reads %j as %s', (header, language) => {
    expect(fromHeader(header)).toBe(language)
  })

  it.each([undefined, '', '*', 'fr', 'en;q=0', ';;;,,,', 'q=1', 'toString', 'en;q=1.2.3'])(
    'finds none of our languages in %j',
    (header) => {
      expect(fromHeader(header)).toBeUndefined()
    },
  )
})
