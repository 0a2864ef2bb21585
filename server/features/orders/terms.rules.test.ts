import { expect, it } from 'vitest'
import { presentTerms } from './terms.rules.ts'

const config = { CANCELLATION: { isOffered: true, hours: 24 } }

const now = Date.parse('2027-05-29T20:59:59.999Z')

it('the terms of a new order are those shown before paying, and another text has another version', () => {
  const { version, body } = presentTerms(config, now)
  expect(version).toMatch(/^[0-9a-f]{16}$/)
  expect(JSON.parse(body)).toMatchObject({
    terms: { ar: expect.stringContaining('شروط النقل'), en: expect.stringContaining('terms of carriage') },
    cancellation: { isOffered: true, hours: 24 },
  })
  expect(presentTerms({ ...config }, now).version).toBe(version)
  const others = [
    presentTerms({ ...config, CANCELLATION: { isOffered: true, hours: 2 } }, now),
    presentTerms({ ...config, LIABILITY_SENTENCE_AR: 'نعوّض', LIABILITY_SENTENCE_EN: 'We pay' }, now),
    presentTerms({ ...config, STORAGE_DAYS: 7 }, now),
  ]
  expect(new Set([version, ...others.map((each) => each.version)]).size).toBe(4)
})

it('a day for handing in is promised until its end in Riyadh, and the other promises go on', () => {
  const until = { ...config, HAND_IN_UNTIL: '2027-05-29', STORAGE_DAYS: 7 }
  const promised = (at: number) => JSON.parse(presentTerms(until, at).body).promises
  expect(promised(now)).toEqual({ transitDays: {}, handInUntil: '2027-05-29', storageDays: 7 })
  expect(promised(now + 1)).toEqual({ transitDays: {}, storageDays: 7 })
  expect(presentTerms(until, now + 1).version).not.toBe(presentTerms(until, now).version)
})
