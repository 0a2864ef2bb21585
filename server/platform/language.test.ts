import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { languageOf } from './language.ts'

const requestWith = (header: string | undefined, cookies: Record<string, string> = {}) =>
  ({ headers: { 'accept-language': header }, cookies }) as unknown as FastifyRequest

describe('languageOf', () => {
  it.each([
    ['en', 'en'],
    ['ar', 'ar'],
    ['en-GB,en;q=0.9', 'en'],
    ['AR-sa', 'ar'],
    ['fr-FR, ur;q=0.9, en;q=0.5, ar;q=0.4', 'en'],
    ['en;q=0.3, ar;q=0.8', 'ar'],
    ['en;q=0.8, ar;q=0.3', 'en'],
    ['en;q=0, ar;q=0.1', 'ar'],
    ['ar;q=0.5,en;q=0.5', 'ar'],
    ['en;q=0.5,ar;q=0.5', 'en'],
    ['en;level=1;q=0.2, ar;q=0.3', 'ar'],
    [' en ; q=0.9', 'en'],
  ])('reads the header %j as %s', (header, language) => {
    expect(languageOf(requestWith(header))).toBe(language)
  })

  it.each([undefined, '', '*', 'fr', 'en;q=0', ';;;,,,', 'q=1', 'toString'])(
    'falls back to the default language for the header %j',
    (header) => {
      expect(languageOf(requestWith(header))).toBe('ar')
    },
  )

  it('prefers the cookie to the header, and ignores a cookie with another value', () => {
    expect(languageOf(requestWith('ar', { lang: 'en' }))).toBe('en')
    expect(languageOf(requestWith('en', { lang: 'fr' }))).toBe('en')
  })
})
