import { getCountries, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import examples from 'libphonenumber-js/examples.mobile.json'
import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { phoneMetadata } from './phone-metadata.ts'

const whole = metadata as unknown as MetadataJson

/** The properties of a number that the app reads: see phone.rules.ts. */
const read = (text: string, country: Parameters<typeof parsePhoneNumberFromString>[1], of: MetadataJson) => {
  const parsed = parsePhoneNumberFromString(text, country as never, of)
  return parsed && { number: parsed.number, country: parsed.country }
}

describe('the metadata without formats', () => {
  it('is about half as long', () => {
    const lengthOf = (each: MetadataJson) => JSON.stringify(each).length
    expect(lengthOf(phoneMetadata)).toBeLessThan(0.6 * lengthOf(whole))
  })

  it('reads numbers of every country as the whole one does', () => {
    for (const country of getCountries(whole)) {
      const national = examples[country as keyof typeof examples]
      const plus = read(national, country, whole)?.number
      expect(plus, country).toMatch(/^\+\d{7,15}$/)
      const typed = [
        national,
        `0${national}`,
        national.slice(1),
        national.slice(0, -1),
        `${national}7`,
        `${plus}`,
      ]
      for (const text of typed)
        expect([country, text, read(text, country, phoneMetadata)]).toEqual([
          country,
          text,
          read(text, country, whole),
        ])
    }
  })
})
