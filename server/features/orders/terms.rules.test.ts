import { expect, it } from 'vitest'
import { presentTerms } from './terms.rules.ts'

const config = {
  CANCELLATION: { isOffered: true, hours: 24 },
  LIABILITY_SENTENCE_AR: undefined,
  LIABILITY_SENTENCE_EN: undefined,
}

it('the terms of a new order are those shown before paying, and another text has another version', () => {
  const { version, body } = presentTerms(config)
  expect(version).toMatch(/^[0-9a-f]{16}$/)
  expect(JSON.parse(body)).toMatchObject({
    terms: { ar: expect.stringContaining('شروط النقل'), en: expect.stringContaining('terms of carriage') },
    cancellation: { isOffered: true, hours: 24 },
  })
  expect(presentTerms({ ...config }).version).toBe(version)
  const others = [
    presentTerms({ ...config, CANCELLATION: { isOffered: true, hours: 2 } }),
    presentTerms({ ...config, LIABILITY_SENTENCE_AR: 'نعوّض', LIABILITY_SENTENCE_EN: 'We pay' }),
  ]
  expect(new Set([version, ...others.map((each) => each.version)]).size).toBe(3)
})
